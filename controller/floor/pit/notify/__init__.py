"""Notifications of a pit by webhook and by mail: a hold, a call, a copied chip, a silent
table, a fault.

- `notifier`: Notifier of a running pit: a notification by webhook or mail for each new reason.
- `watch`: Selection of the reasons for which a notification is sent to a pit manager: each new one, from the
  state of all tables and of the service.
"""
