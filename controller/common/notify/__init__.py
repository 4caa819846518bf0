"""Notifications by webhook and by mail, with retries, for the pit and for surveillance.

- `mail`: Notification by mail, over SMTP (RFC 5321) with TLS.
- `notification`: Notification of a pit about a table or itself, or of surveillance about a seat.
- `sender`: Sender of notifications: one bounded queue with retries for each receiver.
- `settings`: Settings of the notifications: a YAML file with webhooks and mail.
- `webhook`: Notification by webhook, signed as in Standard Webhooks (standardwebhooks.com, version 1.0.0).
"""
