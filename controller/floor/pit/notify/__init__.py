"""Notifications of a pit by webhook and by mail: a hold, a call, a silent table, a fault.

- `mail`: Notification by mail, over SMTP (RFC 5321) with TLS.
- `notifier`: Notifier of a running pit: one bounded queue with retries for each receiver.
- `settings`: Settings of the notifications: a YAML file with webhooks and mail.
- `watch`: Reasons to notify that are new, from the state of all tables and of the service.
- `webhook`: Notification by webhook, signed as in Standard Webhooks (standardwebhooks.com, version 1.0.0).
"""
