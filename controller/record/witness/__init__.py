"""The witness: another machine that cosigns a table's tree, and the feed that sends it checkpoints.

- `add_request`: Request to a witness: the body of `add-checkpoint` (C2SP tlog-witness).
- `bound_store`: Store of a witness, bound to its key: a file beside the key has the identity of the store.
- `checkpoint_server`: `crisscross witness checkpoints`: a journal's checkpoints and proofs over a Unix
  socket, for a feed of another user.
- `cli`: `crisscross witness`: the key, the service and the feed of a witness.
- `feed`: The feed, `crisscross witness feed`: looks every second for a new checkpoint, which is sent to the
  witnesses, beside the daemon, which has no network.
- `journal_reader`: Checkpoints of a journal, the proofs between them, and storage of their cosignatures.
- `judge`: Decides when a witness signs and when it must refuse: every refusal of C2SP tlog-witness, in its
  order.
- `pages`: Routes of a witness (C2SP tlog-witness), each a few lines around `Witness`.
- `remote_reader`: Feed for a user that may open no file of the table: it reads everything over a Unix socket
  (`checkpoint_server.py`).
- `sending`: One request to a witness, limited in time and in the size of the answer.
- `serve`: Witness service: `crisscross witness serve FILE`, until SIGTERM or SIGINT.
- `settings`: File of a witness: where it listens, its key, its store, and its tables.
- `store`: Store of a witness, in SQLite, in which it keeps what it has signed: the last cosigned note of each
  log, and the evidence that a table showed two histories (fork).
- `witness`: One witness: the body of a request in, HTTP status and body of the answer out.
"""
