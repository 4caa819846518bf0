"""Drills and exams for trainees on the felt: `crisscross practice`.

- `book`: A trainee's book: every drill that they have dealt, one JSON object a line, in a file of their own.
- `cli`: The command `practice`: options in, exit status out (controller/COMMANDS.md).
- `examiner`: The floorperson of an exam: play goes on past an error, and a call for help ends the round.
- `marks`: Marks of a trainee in one drill, read off the public view and the round record: errors, phases,
  touches.
- `plot`: The plot of a trainee's sessions as one small SVG: errors a drill as columns, seconds a drill as a
  line.
- `run`: `crisscross practice`: the table, the felt, the drills, until the last has been read or somebody
  stops it.
- `session`: One practice: drill after drill at one table, dealt by a person; players and floor do theirs.
- `themes`: The themes of the practice, and drills: what is dealt, and what happens meanwhile.
- `words`: A practice in words: what the felt shows and the terminal prints of a drill that has been dealt.
"""
