-- Circuits and conversations of Teamfuse that several processes share, beside their budgets.

-- One row for each fleet, which is locked by whoever changes a circuit. The number of changes begins with the time, so that it
-- keeps growing when the row was lost.
CREATE TABLE IF NOT EXISTS teamfuse.fleet (
  fleet text PRIMARY KEY,
  changes bigint NOT NULL,
  forgotten bigint NOT NULL
);

-- `id` is a key of the name. `opened` is the time at which it opened, in milliseconds, or the id of the probe that is under way;
-- `due` is the time from which a probe may be sent, or at which the one that is under way has failed.
CREATE TABLE IF NOT EXISTS teamfuse.circuit (
  fleet text NOT NULL,
  id text NOT NULL,
  name text NOT NULL,
  status text NOT NULL,
  trip text NOT NULL,
  kind text NOT NULL,
  opened bigint NOT NULL,
  due bigint NOT NULL,
  openings integer NOT NULL,
  changed bigint NOT NULL,
  ends timestamptz NOT NULL,
  PRIMARY KEY (fleet, id)
);
CREATE INDEX IF NOT EXISTS circuit_changed ON teamfuse.circuit (fleet, changed);
CREATE INDEX IF NOT EXISTS circuit_ends ON teamfuse.circuit (fleet, ends);

CREATE TABLE IF NOT EXISTS teamfuse.conversation (
  fleet text NOT NULL,
  id text NOT NULL,
  version text NOT NULL,
  state text NOT NULL,
  ends timestamptz NOT NULL,
  PRIMARY KEY (fleet, id)
);
CREATE INDEX IF NOT EXISTS conversation_ends ON teamfuse.conversation (ends);

-- What all processes of a database know and nobody else does.
CREATE TABLE IF NOT EXISTS teamfuse.secret (
  name text PRIMARY KEY,
  value text NOT NULL
);

CREATE OR REPLACE FUNCTION teamfuse.ms(at_ timestamptz) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
  SELECT floor(extract(epoch FROM at_) * 1000)::bigint
$$;

-- Locks a fleet, and forgets the circuits whose time is over. Returns the time, by the clock of the server.
CREATE OR REPLACE FUNCTION teamfuse.begin_fleet(of_fleet text) RETURNS timestamptz LANGUAGE plpgsql AS $$
DECLARE
  at_ timestamptz;
  gone bigint;
BEGIN
  PERFORM 1 FROM teamfuse.fleet WHERE fleet = of_fleet FOR UPDATE;
  IF NOT FOUND THEN
    at_ := clock_timestamp();
    INSERT INTO teamfuse.fleet VALUES (of_fleet, teamfuse.ms(at_), teamfuse.ms(at_)) ON CONFLICT DO NOTHING;
    PERFORM 1 FROM teamfuse.fleet WHERE fleet = of_fleet FOR UPDATE;
  END IF;
  at_ := clock_timestamp();
  WITH due AS (
    DELETE FROM teamfuse.circuit WHERE fleet = of_fleet AND ends <= at_ RETURNING changed
  ) SELECT max(changed) INTO gone FROM due;
  IF gone IS NOT NULL THEN
    UPDATE teamfuse.fleet SET forgotten = greatest(forgotten, gone) WHERE fleet = of_fleet;
  END IF;
  RETURN at_;
END $$;

-- The rules of `transition()` in core. Answers with the time, the number of changes, and the circuit: status, trip, two times (or
-- a probe and a time), and how often it opened. `lasts_ms` says for how long a probe lasts. Processes of an older version call a
-- function of this name that has one argument less, where it is there: it stays.
CREATE OR REPLACE FUNCTION teamfuse.apply_circuit(
  of_fleet text, of_id text, of_name text, event text, probe bigint, lasts_ms float8, why text, of_kind text,
  cooldown_ms float8, open_ms float8, closed_ms float8
) RETURNS text[] LANGUAGE plpgsql AS $$
DECLARE
  -- Longest cool-down, and longest probe: that of core.
  most_ms CONSTANT bigint := 900000;
  at_ CONSTANT timestamptz := teamfuse.begin_fleet(of_fleet);
  now_ CONSTANT bigint := teamfuse.ms(at_);
  before teamfuse.circuit;
  after teamfuse.circuit;
  none teamfuse.circuit := (of_fleet, of_id, of_name, 'closed', '', '', 0, 0, 0, 0, at_);
  number bigint;
BEGIN
  SELECT * INTO before FROM teamfuse.circuit WHERE fleet = of_fleet AND id = of_id;
  IF NOT FOUND THEN before := none; END IF;
  after := before;
  CASE
    WHEN event = 'reset' THEN
      IF before.status <> 'closed' THEN after := none; END IF;
    WHEN event = 'stop' THEN
      IF before.status <> 'stopped' OR (of_kind = 'manual' AND before.kind <> 'manual') THEN
        after := none;
        after.status := 'stopped';
        after.trip := why;
        after.kind := of_kind;
      END IF;
    WHEN event = 'trip' THEN
      IF before.status IN ('closed', 'half-open') THEN
        after.status := 'opening';
        after.trip := why;
        after.kind := of_kind;
      END IF;
    WHEN event = 'probe' THEN
      IF before.status = 'half-open' AND now_ >= before.due AND lasts_ms IS NULL THEN
        after.status := 'opening';
      ELSIF (before.status = 'open' AND now_ >= before.due)
        OR (before.status = 'half-open' AND (now_ >= before.due OR (lasts_ms IS NOT NULL AND before.opened = probe)))
      THEN
        after.status := 'half-open';
        after.opened := probe;
        after.due := now_ + coalesce(lasts_ms, most_ms);
      END IF;
    WHEN before.status = 'half-open' AND before.opened = probe THEN
      IF event = 'probe-passed' THEN after := none; END IF;
      IF event = 'probe-failed' THEN after.status := 'opening'; END IF;
    ELSE NULL;
  END CASE;
  IF after.status = 'opening' THEN
    after.status := 'open';
    after.openings := before.openings + 1;
    after.opened := now_;
    after.due := now_ + least(cooldown_ms * 2 ^ least(before.openings, 60), most_ms);
  END IF;

  IF (after.status, after.opened, after.due, after.openings, after.kind)
    IS DISTINCT FROM (before.status, before.opened, before.due, before.openings, before.kind)
  THEN
    UPDATE teamfuse.fleet SET changes = changes + 1 WHERE fleet = of_fleet RETURNING changes INTO after.changed;
    after.ends := at_ + CASE after.status WHEN 'closed' THEN closed_ms ELSE open_ms END * interval '1 ms';
    DELETE FROM teamfuse.circuit WHERE fleet = of_fleet AND id = of_id;
    INSERT INTO teamfuse.circuit SELECT (after).*;
    PERFORM pg_notify('teamfuse_circuits', of_fleet);
  END IF;
  SELECT changes INTO number FROM teamfuse.fleet WHERE fleet = of_fleet;
  RETURN ARRAY[now_::text, number::text, after.status, after.trip, after.opened::text, after.due::text, after.openings::text];
END $$;

-- Answers with the time, the number of changes now, whether all that is open is told (because what was closed since may be
-- forgotten), and for each circuit that has changed since its name and what is known of it.
CREATE OR REPLACE FUNCTION teamfuse.circuits_since(of_fleet text, since bigint) RETURNS text[] LANGUAGE plpgsql AS $$
DECLARE
  at_ CONSTANT timestamptz := clock_timestamp();
  number bigint;
  is_all boolean;
  told text[];
BEGIN
  IF EXISTS (SELECT FROM teamfuse.circuit WHERE fleet = of_fleet AND ends <= at_) THEN
    PERFORM teamfuse.begin_fleet(of_fleet);
  END IF;
  -- The database was set back: whoever asks after this one is told all, too.
  UPDATE teamfuse.fleet SET changes = since + 1, forgotten = since + 1 WHERE fleet = of_fleet AND changes < since;
  WITH known AS (
    SELECT changes, since < forgotten AS is_all FROM teamfuse.fleet WHERE fleet = of_fleet
  )
  SELECT known.changes, known.is_all, array_agg(part ORDER BY changed, id, place) FILTER (WHERE id IS NOT NULL)
  INTO number, is_all, told
  FROM known
  LEFT JOIN teamfuse.circuit ON fleet = of_fleet AND changed > CASE WHEN known.is_all THEN 0 ELSE since END
  LEFT JOIN LATERAL unnest(
    ARRAY[name, status, trip, opened::text, due::text, openings::text]
  ) WITH ORDINALITY AS of_one (part, place) ON true
  GROUP BY known.changes, known.is_all;
  -- Of a fleet that is not known, none is open.
  IF number IS NULL THEN RETURN ARRAY[teamfuse.ms(at_)::text, since::text, '1']; END IF;
  RETURN ARRAY[teamfuse.ms(at_)::text, number::text, CASE WHEN is_all THEN '1' ELSE '0' END] || told;
END $$;

-- Saves a state on top of the version `before`, which is empty where nothing is. Returns the version that is there then.
CREATE OR REPLACE FUNCTION teamfuse.save_conversation(
  of_fleet text, of_id text, before text, new_version text, new_state text, kept_ms float8
) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  at_ CONSTANT timestamptz := clock_timestamp();
  new_ends CONSTANT timestamptz := at_ + kept_ms * interval '1 ms';
  there text;
BEGIN
  UPDATE teamfuse.conversation SET version = new_version, state = new_state, ends = new_ends
  WHERE fleet = of_fleet AND id = of_id AND CASE WHEN ends > at_ THEN version ELSE '' END = before;
  IF FOUND THEN RETURN new_version; END IF;
  IF before = '' THEN
    INSERT INTO teamfuse.conversation VALUES (of_fleet, of_id, new_version, new_state, new_ends) ON CONFLICT DO NOTHING;
    IF FOUND THEN
      -- Those of others whose time is over, a few at a time.
      DELETE FROM teamfuse.conversation WHERE (fleet, id) IN (
        SELECT fleet, id FROM teamfuse.conversation WHERE ends <= at_ LIMIT 100 FOR UPDATE SKIP LOCKED
      );
      RETURN new_version;
    END IF;
  END IF;
  SELECT version INTO there FROM teamfuse.conversation WHERE fleet = of_fleet AND id = of_id AND ends > at_;
  RETURN coalesce(there, '');
END $$;
