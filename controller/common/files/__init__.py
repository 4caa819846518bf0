"""Files that people write, read with line numbers, and files that the program replaces atomically.

- `account`: Account under which a command runs, for the record of an act.
- `atomic_write`: Atomic replacement of a file: after a power failure it is the old or the new one, never a
  mixture.
- `csv_text`: CSV for a spreadsheet (RFC 4180): text stays text, and no cell becomes a formula.
- `file_lock`: Lock beside a file, `FILE.lock`, so that two processes never write it at once.
- `forms`: Pydantic models that validate files, which report all mistakes at once, each as ``key: allowed
  values``.
- `json_text`: JSON received from another process, and JSON made for one: I-JSON (RFC 7493) with whole numbers
  only and without duplicate keys.
- `mistakes`: All mistakes of a file that a person wrote, at once.
- `money`: Money (amounts) as people read and write it, in dollars, converted to whole cents without a float.
- `open_files`: Files that a process keeps open: whether their paths still lead to them, or a file was
  deleted, moved or replaced.
- `openmetrics`: Figures for a monitor as OpenMetrics 1.0 or as the older text format of Prometheus.
- `packaged`: Folder of the files that come with the program: in a checkout, or inside the installed package.
- `program`: Identity of this program: the version of the software, and a digest (hash) of all its files that
  identifies it.
- `read_errors`: Reasons why a file named by a person cannot be read.
- `secret_file`: Secrets of a service, each in a file of its own that other users may not read, and the check
  of who may read or change a file on which a right depends.
- `strict_json`: Strict JSON: one object in UTF-8, each key once, no NaN and no infinity.
- `svg`: Functions that write elements of an SVG drawing as text.
- `transaction`: Transaction of SQLite: complete on the disk at its end, or rolled back.
- `yaml_lines`: YAML with the line number of every value, for errors in a file, and limited to the features
  that this program's files need.
- `zones`: Time zones: local time (with daylight saving) of an instant of the records, which are in UTC.
"""
