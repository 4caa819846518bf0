"""The witness: another machine that cosigns a table's tree, and the feed that sends it checkpoints.

- `ask`: Request of a log to a witness: the body of `add-checkpoint` (C2SP tlog-witness).
- `checkpoint_server`: `crisscross witness checkpoints`: a journal's checkpoints and proofs over a Unix
  socket, for a feed of another user.
- `cli`: `crisscross witness`: the key, the service and the feed of a witness.
- `feed`: The feed: `crisscross witness feed`, beside the daemon, which has no network.
- `journal_reader`: Checkpoints of a journal, the proofs between them, and the cosignatures that come back for
  them.
- `judge`: Whether a witness may cosign: every refusal of C2SP tlog-witness, in its order.
- `pages`: The routes of a witness (C2SP tlog-witness): each a few lines around `Witness`.
- `remote_reader`: The feed of a user who may open no file of the table: everything comes over a Unix socket
  (`checkpoint_server.py`).
- `sending`: One request to a witness: bounded in time and in the size of the answer, whatever the other side
  does.
- `serve`: The witness as a service: `crisscross witness serve FILE`, until SIGTERM or SIGINT.
- `settings`: The file of a witness: where it listens, its key, its store, and the tables that it watches.
- `store`: Store of a witness, in SQLite: the last note of each log that it cosigned, and the evidence of
  forks.
- `witness`: One witness: a body in, a status and a body out.
"""
