-- Offers the events of a pit's store to a group: psql -f site.sql pit
-- Only inserts and these columns: retention at the site deletes nothing at the group, and an upgrade of the store
-- changes nothing that is sent.
CREATE PUBLICATION crisscross_events
  FOR TABLE events (name, stream, sequence, kind, at, round, body) WITH (publish = 'insert');
