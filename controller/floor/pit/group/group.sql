-- Takes the events of one site: psql -v site=north -v from='host=north dbname=pit user=group' -f group.sql group
-- `body` is the CloudEvent as its table sent it. A consumer reads each (name, stream) by `sequence`, without a gap.
CREATE TABLE IF NOT EXISTS events (
  name TEXT NOT NULL, stream TEXT NOT NULL, sequence BIGINT NOT NULL, kind TEXT NOT NULL,
  at TEXT NOT NULL, round BIGINT NOT NULL, body TEXT NOT NULL, PRIMARY KEY (name, stream, sequence));
CREATE SUBSCRIPTION :"site" CONNECTION :'from' PUBLICATION crisscross_events;
