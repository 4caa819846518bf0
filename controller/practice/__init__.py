"""Drills and exams for trainees on the felt: `crisscross practice`.

- `book`: A trainee's book of past results: every drill that they have dealt is stored, one JSON object per
  line, one file per trainee.
- `cli`: The command `practice` (controller/COMMANDS.md): its options and its exit status.
- `examiner`: The floorperson of an exam: play continues after an error, and a call for help ends the round.
- `marks`: Marks of a trainee in one drill: what counts as an error, the times of phases, the number of
  touches.
- `plot`: Plot of a trainee's sessions as one small SVG: the errors of the trainee per drill as columns,
  seconds per drill as a line.
- `run`: `crisscross practice`: the table, the felt and the drills, until the last result has been read or the
  user stops.
- `session`: One practice: drill after drill at one table, dealt by a person, with simulated players and
  floorperson.
- `themes`: Themes of the practice, and drills: the cards and wagers of a round, and events during it.
- `words`: Texts of a practice in the language of a page: courses, drills, and the results of a drill.
"""
