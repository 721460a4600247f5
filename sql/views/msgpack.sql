-- How PostgreSQL reads canonical MessagePack: as JSON text with the order of keys kept. NULL where the bytes
-- are no MessagePack.
CREATE FUNCTION v.text_of(b bytea) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  RETURN convert_from(b, 'UTF8');
EXCEPTION WHEN others THEN
  RETURN encode(b, 'escape');
END $$;

-- Bytes are shown as text if they are UTF-8, else as "hex:" and hex digits. Bytes of 32 and 64 are mostly ids
-- and signatures: these are hex digits alone, unless they are text without control characters.
CREATE FUNCTION v.bytes_of(b bytea) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  fixed bool := length(b) IN (32, 64);
BEGIN
  IF fixed AND encode(b, 'hex') !~ '^([2-9a-f][0-9a-f]|0[9ad])*$' THEN
    RETURN encode(b, 'hex');
  END IF;
  RETURN convert_from(b, 'UTF8');
EXCEPTION WHEN others THEN
  RETURN CASE WHEN fixed THEN '' ELSE 'hex:' END || encode(b, 'hex');
END $$;

-- Whether n bytes hold MessagePack: they begin like a map or an array, as no text does. Bytes of 32 and 64 can
-- begin with any byte; of these it must be a map with a name as its first key, or an array of such maps.
CREATE FUNCTION v.nested(b bytea, at int, n bigint) RETURNS bool LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN n = 0 THEN false WHEN n NOT IN (32, 64) THEN get_byte(b, at) BETWEEN 128 AND 159
    ELSE encode(substr(b, at + 1, 7), 'hex') ~ '^8[1-9a-f](a[4-9a-f]|b[0-9a-f])(6[1-9a-f]|7[0-9a]|5f){4}|^9[1-9a-f]8[1-9a-f](a[4-9a-f]|b[0-9a-f])([46][1-9a-f]|[57][0-9a]|5f){4}' END
$$;

CREATE FUNCTION v.unsigned(b bytea, at int, n int) RETURNS bigint LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  u bigint := 0;
BEGIN
  FOR i IN 0..n-1 LOOP
    u := (u << 8) | get_byte(b, at + i);
  END LOOP;
  RETURN u;
END $$;

CREATE FUNCTION v.real_of(u bigint, exponent int, mantissa int) RETURNS double precision LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  e bigint := (u >> mantissa) & ((1::bigint << exponent) - 1);
  m double precision := u & ((1::bigint << mantissa) - 1);
BEGIN
  IF e = (1::bigint << exponent) - 1 THEN
    RETURN NULL;
  END IF;
  IF e > 0 THEN
    m := m + (1::bigint << mantissa);
  END IF;
  m := m * 2::double precision ^ (greatest(e, 1) - (1::bigint << (exponent - 1)) + 2 - mantissa - 1);
  RETURN CASE WHEN (u >> (exponent + mantissa)) & 1 = 1 THEN -m ELSE m END;
END $$;

CREATE FUNCTION v.msgpack_value(b bytea, INOUT at int, OUT j text) LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  c int := get_byte(b, at);
  n bigint := 0;
  is_map bool := false;
  part record;
  parts text[] := '{}';
  name text;
BEGIN
  at := at + 1;
  IF c < 128 THEN j := c::text; RETURN; END IF;
  IF c >= 224 THEN j := (c - 256)::text; RETURN; END IF;
  IF c = 192 THEN j := 'null'; RETURN; END IF;
  IF c = 194 THEN j := 'false'; RETURN; END IF;
  IF c = 195 THEN j := 'true'; RETURN; END IF;
  IF c = 202 THEN j := coalesce(v.real_of(v.unsigned(b, at, 4), 8, 23)::real::text, 'null'); at := at + 4; RETURN; END IF;
  IF c = 203 THEN j := coalesce(v.real_of(v.unsigned(b, at, 8), 11, 52)::text, 'null'); at := at + 8; RETURN; END IF;
  IF c BETWEEN 204 AND 207 THEN
    j := v.unsigned(b, at, 1 << (c - 204))::text; at := at + (1 << (c - 204)); RETURN;
  END IF;
  IF c BETWEEN 208 AND 211 THEN
    n := v.unsigned(b, at, 1 << (c - 208)); at := at + (1 << (c - 208));
    IF c < 211 AND n >= 1::bigint << (8 * (1 << (c - 208)) - 1) THEN n := n - (1::bigint << (8 * (1 << (c - 208)))); END IF;
    j := n::text; RETURN;
  END IF;
  IF c BETWEEN 196 AND 198 THEN
    n := v.unsigned(b, at, 1 << (c - 196)); at := at + (1 << (c - 196));
    IF v.nested(b, at, n) THEN
      SELECT * INTO part FROM v.msgpack_value(b, at); at := part.at; j := part.j; RETURN;
    END IF;
    j := to_json(v.bytes_of(substr(b, at + 1, n::int)))::text;
    at := at + n::int; RETURN;
  END IF;
  IF c BETWEEN 160 AND 191 OR c BETWEEN 217 AND 219 THEN
    IF c < 192 THEN n := c & 31; ELSE n := v.unsigned(b, at, 1 << (c - 217)); at := at + (1 << (c - 217)); END IF;
    j := to_json(v.text_of(substr(b, at + 1, n::int)))::text; at := at + n::int; RETURN;
  END IF;
  IF c < 160 THEN
    n := c & 15; is_map := c < 144;
  ELSIF c BETWEEN 220 AND 223 THEN
    n := v.unsigned(b, at, 2 << (c & 1)); at := at + (2 << (c & 1)); is_map := c >= 222;
  ELSE
    RAISE EXCEPTION 'no MessagePack';
  END IF;
  FOR i IN 1..n LOOP
    SELECT * INTO part FROM v.msgpack_value(b, at); at := part.at;
    IF is_map THEN
      name := part.j;
      SELECT * INTO part FROM v.msgpack_value(b, at); at := part.at;
      parts := parts || (name || ':' || part.j);
    ELSE
      parts := parts || part.j;
    END IF;
  END LOOP;
  j := CASE WHEN is_map THEN '{' || array_to_string(parts, ',') || '}' ELSE '[' || array_to_string(parts, ',') || ']' END;
END $$;

CREATE FUNCTION v.msgpack_json(b bytea) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  part record;
BEGIN
  SELECT * INTO part FROM v.msgpack_value(b, 0);
  RETURN CASE WHEN part.at = length(b) THEN part.j END;
EXCEPTION WHEN others THEN
  RETURN NULL;
END $$
