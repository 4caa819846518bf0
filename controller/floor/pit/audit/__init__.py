"""Audit trail of a pit: sign-ins, answers to calls, changes of users and settings, each with its user.

- `recorder`: Recorder of a running pit: its entries reach the store from a thread of their own.
- `trail`: Audit trail of the pit in its store: entries in order, each with a hash over itself and the one
  before.
"""
