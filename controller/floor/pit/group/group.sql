-- Events of the pits of several sites in one database of a group, for a report over all of them.
-- Takes the events of one site: psql -v site=north -v from='host=north dbname=pit user=group' -f group.sql group
-- `body` is the CloudEvent as its table sent it. A consumer reads each (name, stream) by `sequence`, without a gap.
CREATE TABLE IF NOT EXISTS events (
  name TEXT NOT NULL, stream TEXT NOT NULL, sequence BIGINT NOT NULL, kind TEXT NOT NULL,
  at TEXT NOT NULL, round BIGINT NOT NULL, body TEXT NOT NULL, PRIMARY KEY (name, stream, sequence));
-- A subscription inserts tables of its own site alone, and an event that is there already is skipped: a site whose
-- store was restored sends its events again. Another content under a stored number stops the subscription.
CREATE OR REPLACE FUNCTION accept_event() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  site TEXT := (SELECT subname FROM pg_catalog.pg_stat_subscription WHERE pid = pg_catalog.pg_backend_pid());
  known TEXT;
BEGIN
  IF split_part(NEW.name, '.', 1) <> site OR (site IS NOT NULL AND NEW.name NOT LIKE '%.%') THEN
    RAISE EXCEPTION 'table % is not of site %', NEW.name, site
      USING HINT = 'correct uplink.site of that table, then skip the transaction: ALTER SUBSCRIPTION ... SKIP';
  END IF;
  SELECT body INTO known FROM public.events
    WHERE (name, stream, sequence) = (NEW.name, NEW.stream, NEW.sequence);
  IF known IS NULL THEN
    RETURN NEW;
  ELSIF known = NEW.body THEN
    RETURN NULL;
  END IF;
  RAISE EXCEPTION 'event % of table %, stream %, is stored with other content', NEW.sequence, NEW.name, NEW.stream
    USING HINT = 'the site has another history than the group; compare its store with the group';
END $$;
CREATE OR REPLACE TRIGGER accept_event BEFORE INSERT ON events FOR EACH ROW EXECUTE FUNCTION accept_event();
ALTER TABLE events ENABLE ALWAYS TRIGGER accept_event;
CREATE SUBSCRIPTION :"site" CONNECTION :'from' PUBLICATION crisscross_events;
