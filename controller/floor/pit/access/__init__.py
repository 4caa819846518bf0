"""Access to the pit's pages: users with roles, sessions, and the role that each page needs.

- `cli`: `crisscross pit user`: adds, changes and removes users of a pit's pages.
- `gate`: The role that each route of the pit needs, such as to see or change its users, and the check in
  front of every route.
- `manage`: The page for the role `manage`: the audit trail, the users with their roles, and the retention.
- `noted_users`: Users of the pit's pages as an entry of the audit trail.
- `options`: Options of the access to the pit's pages: users, TLS, the authenticating proxy (single sign-on).
- `sign_in`: Sign-in (login) and sign-out of a user: the handlers of both, with the check of a password.
- `users`: Users of a pit's pages: a YAML file that maps a name to a role and the hash of their password.
"""
