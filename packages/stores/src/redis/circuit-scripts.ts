import { noteOptions, type Script, scriptOf } from './script.ts';

/**
 * What both scripts begin with. `circuits` holds those that are not closed, each as a list of texts: status, trip, two times (or a
 * probe and a time), and how often it opened. `changed` says with which change each was written last, and `ends` when it is forgotten.
 *
 * The number of changes begins with the time, so that it grows on when a server has lost what it kept.
 */
const BEGIN = `
local circuits, changed, ends, counts = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)

local function whole(number) return string.format('%.0f', number) end

local function circuitOf(id)
  local packed = redis.call('HGET', circuits, id)
  return packed and cjson.decode(packed) or { 'closed', '', '0', '0', '0' }
end

if redis.call('HSETNX', counts, 'changes', whole(now)) == 1 then
  redis.call('HSET', counts, 'forgotten', whole(now))
end
for _, id in ipairs(redis.call('ZRANGEBYSCORE', ends, '-inf', now, 'LIMIT', 0, 1000)) do
  local forgotten = redis.call('ZSCORE', changed, id) or '0'
  if tonumber(forgotten) > tonumber(redis.call('HGET', counts, 'forgotten')) then
    redis.call('HSET', counts, 'forgotten', forgotten)
  end
  redis.call('HDEL', circuits, id)
  redis.call('ZREM', changed, id)
  redis.call('ZREM', ends, id)
end
`;

/** Longest cool-down, and longest probe: that of core. */
const MOST_MS = 15 * 60_000;

/**
 * The rules of `transition()` in core. ARGV: id, type of the event, probe, for how long it lasts, trip, its kind, cool-down, for how long an open circuit is kept,
 * and a closed one, the channel. Answers with the time, the number of changes, and the circuit.
 */
export const APPLY: Script = scriptOf(`${BEGIN}
local id, type, probe, lastsMs, trip, kind = ARGV[1], ARGV[2], ARGV[3], tonumber(ARGV[4]), ARGV[5], ARGV[6]
local cooldownMs, openMs, closedMs, channel = tonumber(ARGV[7]), tonumber(ARGV[8]), tonumber(ARGV[9]), ARGV[10]
local before = circuitOf(id)
local status, openings = before[1], tonumber(before[5])

local function open(why, count)
  local waitMs = math.min(cooldownMs * 2 ^ (count - 1), ${MOST_MS})
  return { 'open', why, whole(now), whole(now + waitMs), whole(count) }
end

local after = before
if type == 'reset' then
  if status ~= 'closed' then after = { 'closed', '', '0', '0', '0' } end
elseif type == 'stop' then
  local isByHand = kind == 'manual' and status == 'stopped' and cjson.decode(before[2]).kind ~= 'manual'
  if status ~= 'stopped' or isByHand then after = { 'stopped', trip, '0', '0', '0' } end
elseif type == 'trip' then
  if status == 'closed' then after = open(trip, 1) end
  if status == 'half-open' then after = open(trip, openings + 1) end
elseif type == 'probe' then
  local isDue = now >= tonumber(before[4])
  local goesOn = lastsMs and before[3] == probe
  local untilMs = whole(now + (lastsMs or ${MOST_MS}))
  if status == 'half-open' and isDue and not lastsMs then
    after = open(before[2], openings + 1)
  elseif (status == 'open' and isDue) or (status == 'half-open' and (isDue or goesOn)) then
    local isSame = status == 'half-open' and before[3] == probe and before[4] == untilMs
    if not isSame then after = { 'half-open', before[2], probe, untilMs, before[5] } end
  end
elseif status == 'half-open' and before[3] == probe then
  if type == 'probe-passed' then after = { 'closed', '', '0', '0', '0' } end
  if type == 'probe-failed' then after = open(before[2], openings + 1) end
  if type == 'probe-cancelled' then after = open(before[2], openings) end
end

if after ~= before then
  local change = redis.call('HINCRBY', counts, 'changes', 1)
  local keptMs = openMs
  if after[1] == 'closed' then
    redis.call('HDEL', circuits, id)
    keptMs = closedMs
  else
    redis.call('HSET', circuits, id, cjson.encode(after))
  end
  redis.call('ZADD', changed, change, id)
  redis.call('ZADD', ends, now + keptMs, id)
  redis.call('PUBLISH', channel, change)
end
return { whole(now), redis.call('HGET', counts, 'changes'), unpack(after) }
`);

/**
 * ARGV: a number of changes. Answers with the time, the number of changes now, whether all that is open is told (because what was
 * closed since may be forgotten), and for each circuit that has changed since its id and what is known of it.
 */
export const SINCE: Script = scriptOf(`${BEGIN}
local since, changes = ARGV[1], redis.call('HGET', counts, 'changes')
local isAll = tonumber(since) < tonumber(redis.call('HGET', counts, 'forgotten'))
if tonumber(since) > tonumber(changes) then
  -- A replica that lagged behind has taken over. Whoever asks after this one is told all, too.
  isAll, changes = true, whole(tonumber(since) + 1)
  redis.call('HSET', counts, 'changes', changes, 'forgotten', changes)
end
local answer = { whole(now), changes, isAll and '1' or '0' }
for _, id in ipairs(redis.call('ZRANGEBYSCORE', changed, isAll and '-inf' or '(' .. since, '+inf')) do
  local circuit = circuitOf(id)
  answer[#answer + 1] = id
  for _, part in ipairs(circuit) do answer[#answer + 1] = part end
end
return answer
`);

/** ARGV: with which options a process uses the circuits, and which others it knows of. Answers with those of the processes before it. */
export const AGREE_ON_CIRCUITS: Script = scriptOf(
  `${BEGIN}${noteOptions('counts', 'ARGV[1]', 'ARGV[2]')}`,
);
