"""Files that people write, read with line numbers, and files that the program writes, replaced at once.

- `account`: The account under which a command runs, for the record of an act.
- `atomic_write`: A file replaced whole: after a power cut it is the old one or the new one, never half of
  either.
- `csv_text`: CSV for a spreadsheet (RFC 4180): text stays text.
- `file_lock`: The lock beside a file, `FILE.lock`: a process has the file.
- `forms`: The form of a file: pydantic models that say a mistake as ``key: what is allowed``, all of them at
  once.
- `json_text`: JSON received from another process, and JSON made for one: I-JSON (RFC 7493) with whole numbers
  only.
- `mistakes`: All mistakes of a file that a person wrote, at once.
- `money`: Money where people read and write it: dollars outside, whole cents inside, never through a float.
- `packaged`: Folder of the files that come with the program: in a checkout, or inside the installed package.
- `program`: Which program this is: its version, and a digest of every file that it is made of.
- `read_errors`: Words for a file that a person named and that cannot be read.
- `strict_json`: Strict JSON: one object in UTF-8, each key once, no NaN and no infinity.
- `transaction`: One transaction of SQLite: on the disk when it ends, or not at all.
- `yaml_lines`: YAML with the line of every value, and nothing that a file of this program has no need of.
- `zones`: Time zones: what the clock on the wall said at an instant of the records, which are in UTC.
"""
