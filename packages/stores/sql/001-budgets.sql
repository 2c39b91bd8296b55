-- Budgets of Teamfuse. Everything is in the schema `teamfuse`, so that dropping that schema removes it.
CREATE SCHEMA IF NOT EXISTS teamfuse;

-- The books. The purse without a name is the whole budget; its row is locked by whoever decides.
CREATE TABLE IF NOT EXISTS teamfuse.purse (
  budget text NOT NULL,
  purse text NOT NULL,
  usd_spent numeric NOT NULL DEFAULT 0,
  tokens_spent numeric NOT NULL DEFAULT 0,
  usd_held numeric NOT NULL DEFAULT 0,
  tokens_held numeric NOT NULL DEFAULT 0,
  usd_over numeric NOT NULL DEFAULT 0,
  tokens_over numeric NOT NULL DEFAULT 0,
  PRIMARY KEY (budget, purse)
);

CREATE TABLE IF NOT EXISTS teamfuse.held (
  budget text NOT NULL,
  id text NOT NULL,
  usd numeric NOT NULL,
  tokens numeric NOT NULL,
  purses text[] NOT NULL,
  since timestamptz NOT NULL,
  until timestamptz NOT NULL,
  PRIMARY KEY (budget, id)
);
-- Of a lease, how often it was renewed: what comes later than a newer renewal is not followed.
ALTER TABLE teamfuse.held ADD COLUMN IF NOT EXISTS number bigint NOT NULL DEFAULT 0;
CREATE INDEX IF NOT EXISTS held_until ON teamfuse.held (budget, until);

CREATE TABLE IF NOT EXISTS teamfuse.settled (
  budget text NOT NULL,
  id text NOT NULL,
  at timestamptz NOT NULL,
  PRIMARY KEY (budget, id)
);
CREATE INDEX IF NOT EXISTS settled_at ON teamfuse.settled (budget, at);

CREATE TABLE IF NOT EXISTS teamfuse.recent (
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  budget text NOT NULL,
  at timestamptz NOT NULL,
  usd numeric NOT NULL,
  tokens numeric NOT NULL,
  purses text[] NOT NULL
);
CREATE INDEX IF NOT EXISTS recent_at ON teamfuse.recent (budget, at);

-- Adds to what is spent and held in some purses.
CREATE OR REPLACE FUNCTION teamfuse.add(
  of_budget text, names text[], usd_more numeric, tokens_more numeric, usd_kept numeric, tokens_kept numeric
) RETURNS void LANGUAGE sql AS $$
  INSERT INTO teamfuse.purse AS p (budget, purse, usd_spent, tokens_spent, usd_held, tokens_held)
  SELECT of_budget, name, count(*) * usd_more, count(*) * tokens_more, count(*) * usd_kept, count(*) * tokens_kept
  FROM unnest(names) AS name GROUP BY name
  ON CONFLICT (budget, purse) DO UPDATE SET
    usd_spent = p.usd_spent + excluded.usd_spent, tokens_spent = p.tokens_spent + excluded.tokens_spent,
    usd_held = p.usd_held + excluded.usd_held, tokens_held = p.tokens_held + excluded.tokens_held
$$;

-- Releases what is held under these ids.
CREATE OR REPLACE FUNCTION teamfuse.release(of_budget text, ids text[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE one record;
BEGIN
  FOR one IN DELETE FROM teamfuse.held WHERE budget = of_budget AND id = ANY (ids) RETURNING * LOOP
    PERFORM teamfuse.add(of_budget, one.purses, 0, 0, -one.usd, -one.tokens);
  END LOOP;
END $$;

-- Locks the budget, and brings its books up to date. Returns the time, by the clock of the server.
CREATE OR REPLACE FUNCTION teamfuse.begin(of_budget text, window_ms float8, settled_ms float8)
RETURNS timestamptz LANGUAGE plpgsql AS $$
DECLARE
  at_ timestamptz;
  one record;
BEGIN
  PERFORM 1 FROM teamfuse.purse WHERE budget = of_budget AND purse = '' FOR UPDATE;
  IF NOT FOUND THEN
    INSERT INTO teamfuse.purse (budget, purse) VALUES (of_budget, '') ON CONFLICT DO NOTHING;
    PERFORM 1 FROM teamfuse.purse WHERE budget = of_budget AND purse = '' FOR UPDATE;
  END IF;
  at_ := clock_timestamp();
  PERFORM teamfuse.release(of_budget, array_agg(id)) FROM teamfuse.held
    WHERE budget = of_budget AND until <= at_ HAVING count(*) > 0;
  DELETE FROM teamfuse.settled WHERE budget = of_budget AND at <= at_ - settled_ms * interval '1 ms';
  IF window_ms > 0 THEN
    FOR one IN DELETE FROM teamfuse.recent
      WHERE budget = of_budget AND at <= at_ - window_ms * interval '1 ms' RETURNING * LOOP
      PERFORM teamfuse.add(of_budget, one.purses, -one.usd, -one.tokens, 0, 0);
    END LOOP;
  END IF;
  RETURN at_;
END $$;

-- The books of some purses, in this order: for each, what is spent and what is held, in nano-dollars and tokens. Up to 2^53 - 1.
CREATE OR REPLACE FUNCTION teamfuse.books(of_budget text, names text[]) RETURNS text[] LANGUAGE sql AS $$
  SELECT array_agg(least(coalesce(figure, 0), 9007199254740991)::text ORDER BY place, unit)
  FROM unnest(names) WITH ORDINALITY AS asked (name, place)
  LEFT JOIN teamfuse.purse AS p ON p.budget = of_budget AND p.purse = name
  CROSS JOIN LATERAL unnest(ARRAY[p.usd_spent, p.tokens_spent, p.usd_held, p.tokens_held])
    WITH ORDINALITY AS figures (figure, unit)
$$;

-- Reserves an amount in all purses or in none. A missing limit is null. The first figure is 1 if it was granted.
CREATE OR REPLACE FUNCTION teamfuse.reserve(
  of_budget text, window_ms float8, settled_ms float8, life_ms float8,
  of_id text, usd_more numeric, tokens_more numeric,
  names text[], usd_limits numeric[], tokens_limits numeric[]
) RETURNS text[] LANGUAGE plpgsql AS $$
DECLARE
  at_ timestamptz := teamfuse.begin(of_budget, window_ms, settled_ms);
  before teamfuse.held%ROWTYPE;
  fits boolean;
BEGIN
  IF EXISTS (SELECT FROM teamfuse.settled WHERE budget = of_budget AND id = of_id) THEN
    RETURN array_prepend('0', teamfuse.books(of_budget, names));
  END IF;
  SELECT * INTO before FROM teamfuse.held WHERE budget = of_budget AND id = of_id;
  PERFORM teamfuse.release(of_budget, ARRAY[of_id]);
  SELECT bool_and(
    (usd_limit IS NULL OR coalesce(p.usd_spent + p.usd_held, 0) + usd_more <= usd_limit)
    AND (tokens_limit IS NULL OR coalesce(p.tokens_spent + p.tokens_held, 0) + tokens_more <= tokens_limit)
  ) INTO fits
  FROM unnest(names, usd_limits, tokens_limits) AS asked (name, usd_limit, tokens_limit)
  LEFT JOIN teamfuse.purse AS p ON p.budget = of_budget AND p.purse = name;
  IF fits THEN
    INSERT INTO teamfuse.held VALUES
      (of_budget, of_id, usd_more, tokens_more, names, at_, at_ + life_ms * interval '1 ms');
    PERFORM teamfuse.add(of_budget, names, 0, 0, usd_more, tokens_more);
    RETURN array_prepend('1', teamfuse.books(of_budget, names));
  END IF;
  IF before.id IS NOT NULL THEN
    INSERT INTO teamfuse.held SELECT before.*;
    PERFORM teamfuse.add(of_budget, before.purses, 0, 0, before.usd, before.tokens);
  END IF;
  RETURN array_prepend('0', teamfuse.books(of_budget, names));
END $$;

-- Books what a call took; of what is beyond its reservation, as much as is told. Without a reservation, which is null, all of it.
-- Returns what was booked. Purses of days and months keep what a window forgets.
CREATE OR REPLACE FUNCTION teamfuse.book(
  of_budget text, window_ms float8, excess text, at_ timestamptz,
  usd_more numeric, tokens_more numeric, usd_reserved numeric, tokens_reserved numeric, names text[]
) RETURNS numeric[] LANGUAGE plpgsql AS $$
BEGIN
  IF usd_reserved IS NOT NULL AND excess <> 'refuse-next' THEN
    IF excess = 'overdraft' THEN
      PERFORM teamfuse.add(of_budget, names, 0, 0, 0, 0);
      UPDATE teamfuse.purse SET
        usd_over = usd_over + greatest(usd_more - usd_reserved, 0),
        tokens_over = tokens_over + greatest(tokens_more - tokens_reserved, 0)
      WHERE budget = of_budget AND purse = ANY (names);
    END IF;
    usd_more := least(usd_more, usd_reserved);
    tokens_more := least(tokens_more, tokens_reserved);
  END IF;
  PERFORM teamfuse.add(of_budget, names, usd_more, tokens_more, 0, 0);
  IF window_ms > 0 AND usd_more + tokens_more > 0 THEN
    INSERT INTO teamfuse.recent (budget, at, usd, tokens, purses)
      VALUES (of_budget, at_, usd_more, tokens_more,
        ARRAY(SELECT name FROM unnest(names) AS name WHERE name !~ '^(day|month):'));
  END IF;
  RETURN ARRAY[usd_more, tokens_more];
END $$;

-- Books what a call took and releases what it held, once however often that is sent.
CREATE OR REPLACE FUNCTION teamfuse.settle(
  of_budget text, window_ms float8, settled_ms float8, excess text,
  of_id text, usd_more numeric, tokens_more numeric, names text[]
) RETURNS text[] LANGUAGE plpgsql AS $$
DECLARE
  at_ timestamptz := teamfuse.begin(of_budget, window_ms, settled_ms);
  before teamfuse.held%ROWTYPE;
BEGIN
  INSERT INTO teamfuse.settled VALUES (of_budget, of_id, at_) ON CONFLICT DO NOTHING;
  IF NOT FOUND THEN RETURN teamfuse.books(of_budget, names); END IF;
  SELECT * INTO before FROM teamfuse.held WHERE budget = of_budget AND id = of_id;
  PERFORM teamfuse.release(of_budget, ARRAY[of_id]);
  PERFORM teamfuse.book(
    of_budget, window_ms, excess, at_, usd_more, tokens_more, before.usd, before.tokens, names
  );
  RETURN teamfuse.books(of_budget, names);
END $$;

CREATE OR REPLACE FUNCTION teamfuse.totals(
  of_budget text, window_ms float8, settled_ms float8, names text[]
) RETURNS text[] LANGUAGE plpgsql AS $$
BEGIN
  PERFORM teamfuse.begin(of_budget, window_ms, settled_ms);
  RETURN teamfuse.books(of_budget, names);
END $$;

-- Prolongs reservations. Returns the ids under which nothing is held any more.
CREATE OR REPLACE FUNCTION teamfuse.keep(
  of_budget text, window_ms float8, settled_ms float8, life_ms float8, ids text[]
) RETURNS text[] LANGUAGE plpgsql AS $$
DECLARE at_ timestamptz := teamfuse.begin(of_budget, window_ms, settled_ms);
BEGIN
  UPDATE teamfuse.held SET until = at_ + life_ms * interval '1 ms' WHERE budget = of_budget AND id = ANY (ids);
  RETURN ARRAY(
    SELECT one FROM unnest(ids) AS one
    WHERE NOT EXISTS (SELECT FROM teamfuse.held WHERE budget = of_budget AND id = one)
  );
END $$;

-- Books what calls of a lease took, and changes what it holds, in one step. The first figure is 1 if it is held, the next two are
-- what is idle; then the books follow. What calls hold and what is kept stays, whatever the limits are. Of a lease that is not held
-- any more, and of a number that is not above the last one, it only books.
CREATE OR REPLACE FUNCTION teamfuse.lease(
  of_budget text, window_ms float8, settled_ms float8, life_ms float8, excess text,
  of_id text, of_number bigint, is_over boolean, parts int,
  usd_calls numeric, tokens_calls numeric, usd_kept numeric, tokens_kept numeric, usd_idle numeric, tokens_idle numeric,
  names text[], usd_limits numeric[], tokens_limits numeric[], bookings jsonb
) RETURNS text[] LANGUAGE plpgsql AS $$
DECLARE
  at_ timestamptz := teamfuse.begin(of_budget, window_ms, settled_ms);
  before teamfuse.held%ROWTYPE;
  is_held boolean;
  one record;
  booked numeric[];
BEGIN
  SELECT * INTO before FROM teamfuse.held WHERE budget = of_budget AND id = of_id;
  is_held := before.id IS NOT NULL;
  PERFORM teamfuse.release(of_budget, ARRAY[of_id]);
  FOR one IN SELECT * FROM jsonb_to_recordset(bookings) AS b (
    id text, usd numeric, tokens numeric, usd_reserved numeric, tokens_reserved numeric, purses text[]
  ) LOOP
    INSERT INTO teamfuse.settled VALUES (of_budget, one.id, at_) ON CONFLICT DO NOTHING;
    CONTINUE WHEN NOT FOUND;
    booked := teamfuse.book(
      of_budget, window_ms, excess, at_, one.usd, one.tokens,
      CASE WHEN is_held THEN one.usd_reserved END, CASE WHEN is_held THEN one.tokens_reserved END, one.purses
    );
    before.usd := greatest(before.usd - booked[1], 0);
    before.tokens := greatest(before.tokens - booked[2], 0);
  END LOOP;

  IF is_held AND of_number <= before.number THEN
    INSERT INTO teamfuse.held SELECT before.*;
    PERFORM teamfuse.add(of_budget, before.purses, 0, 0, before.usd, before.tokens);
    RETURN ARRAY['1', greatest(before.usd - usd_calls, 0)::text, greatest(before.tokens - tokens_calls, 0)::text]
      || teamfuse.books(of_budget, names);
  END IF;
  IF is_over THEN
    INSERT INTO teamfuse.settled VALUES (of_budget, of_id, at_) ON CONFLICT DO NOTHING;
  END IF;
  IF NOT is_held AND of_number <> 1 OR EXISTS (SELECT FROM teamfuse.settled WHERE budget = of_budget AND id = of_id) THEN
    RETURN ARRAY['0', '0', '0'] || teamfuse.books(of_budget, names);
  END IF;

  -- The least of all limits; a missing one does not bind.
  SELECT
    least(usd_idle, min(floor(usd_left / parts))), least(tokens_idle, min(floor(tokens_left / parts)))
  INTO usd_idle, tokens_idle
  FROM unnest(names, usd_limits, tokens_limits) AS asked (name, usd_limit, tokens_limit)
  LEFT JOIN teamfuse.purse AS p ON p.budget = of_budget AND p.purse = name
  CROSS JOIN LATERAL (SELECT
    usd_limit - coalesce(p.usd_spent + p.usd_held, 0) - usd_calls AS usd_left,
    tokens_limit - coalesce(p.tokens_spent + p.tokens_held, 0) - tokens_calls AS tokens_left
  ) AS rest;
  usd_idle := greatest(usd_kept, usd_idle);
  tokens_idle := greatest(tokens_kept, tokens_idle);
  INSERT INTO teamfuse.held VALUES (
    of_budget, of_id, usd_calls + usd_idle, tokens_calls + tokens_idle, names,
    coalesce(before.since, at_), at_ + life_ms * interval '1 ms', of_number
  );
  PERFORM teamfuse.add(of_budget, names, 0, 0, usd_calls + usd_idle, tokens_calls + tokens_idle);
  RETURN ARRAY['1', usd_idle::text, tokens_idle::text] || teamfuse.books(of_budget, names);
END $$;

-- For people: a row for each purse, in dollars. What has expired since the last call still counts here. The calls that processes
-- have admitted from their leases are not among those under way.
CREATE OR REPLACE VIEW teamfuse.report AS
SELECT
  p.budget,
  nullif(p.purse, '') AS purse,
  p.usd_spent / 1e9 AS usd_spent,
  p.tokens_spent,
  p.usd_held / 1e9 AS usd_reserved,
  p.tokens_held AS tokens_reserved,
  p.usd_over / 1e9 AS usd_overdraft,
  p.tokens_over AS tokens_overdraft,
  count(h.id) FILTER (WHERE h.number = 0) AS calls_under_way,
  min(h.since) FILTER (WHERE h.number = 0) AS oldest_call_since,
  count(h.id) FILTER (WHERE h.number > 0) AS leases
FROM teamfuse.purse AS p
LEFT JOIN teamfuse.held AS h ON h.budget = p.budget AND p.purse = ANY (h.purses)
GROUP BY p.budget, p.purse;
