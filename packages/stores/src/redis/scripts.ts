import { noteOptions, type Script, scriptOf } from './script.ts';

/**
 * What every script begins with: the books as of now, by the server's clock. Purses of days and months keep what a window forgets.
 * Amounts are added by Redis itself, in whole numbers of 64 bits: the numbers of Lua are exact up to 2^53 only. Lua compares
 * them, and cuts what it tells to 2^53 - 1; a limit is never larger, so that a sum that was rounded is beyond it all the same.
 */
const BEGIN = `
local books, held, due, settled, recent, leases = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6]
local known = table.remove(ARGV)
local lifeMs, windowMs, settledMs = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local MOST, BATCH = 9007199254740991, 1000

local function add(kind, purse, usd, tokens, sign)
  for unit, amount in pairs({ u = usd, t = tokens }) do
    if amount ~= '0' then
      local field = kind .. unit .. purse
      local sum = redis.pcall('HINCRBY', books, field, sign .. amount)
      if type(sum) == 'number' and sum <= 0 then redis.call('HDEL', books, field) end
    end
  end
end

local function release(id)
  local packed = redis.call('HGET', held, id)
  if not packed then return nil end
  local one = cjson.decode(packed)
  for i = 3, #one do add('r', one[i], one[1], one[2], '-') end
  redis.call('HDEL', held, id)
  redis.call('ZREM', due, id)
  redis.call('HDEL', leases, id)
  return packed
end

local function hold(id, packed, until_)
  local one = cjson.decode(packed)
  for i = 3, #one do add('r', one[i], one[1], one[2], '') end
  redis.call('HSET', held, id, packed)
  redis.call('ZADD', due, until_, id)
end

local function totals(names)
  local figures = {}
  for _, name in ipairs(names) do
    local sums = redis.call('HMGET', books, 'su' .. name, 'st' .. name, 'ru' .. name, 'rt' .. name)
    for i = 1, 4 do
      figures[#figures + 1] = string.format('%.0f', math.min(tonumber(sums[i] or '0'), MOST))
    end
  end
  return figures
end

local function passing(name) return not name:find('^day:') and not name:find('^month:') and name or nil end
-- Books what a call took; of what is beyond its reservation, as much as is told.
local function book(id, actual, reserved, excess, names)
  if reserved and excess ~= 'refuse-next' then
    local over = { '0', '0' }
    for unit = 1, 2 do
      local beyond = tonumber(actual[unit]) - tonumber(reserved[unit])
      if beyond > 0 then
        over[unit] = string.format('%.0f', beyond)
        actual[unit] = reserved[unit]
      end
    end
    if excess == 'overdraft' then
      for _, name in ipairs(names) do add('o', name, over[1], over[2], '') end
    end
  end
  local one = { id, actual[1], actual[2] }
  for _, name in ipairs(names) do
    add('s', name, actual[1], actual[2], '')
    one[#one + 1] = passing(name)
  end
  if windowMs > 0 and (actual[1] ~= '0' or actual[2] ~= '0') then
    redis.call('ZADD', recent, now, cjson.encode(one))
  end
end

-- Every key has a mark: one without it was evicted, and what is left says too little without it.
local MARK = '\\1mark'
local function mark()
  local made = redis.call('HSETNX', held, MARK, '') + redis.call('HSETNX', leases, MARK, '')
  for _, set in ipairs({ due, settled, recent }) do made = made + redis.call('ZADD', set, 'NX', '+inf', MARK) end
  return made
end
local epoch, made = redis.call('HGET', books, 'epoch'), mark()
if not epoch or made > 0 then
  -- Books of an older version have neither.
  if epoch or made < 5 then
    redis.call('DEL', books, held, due, settled, recent, leases)
    mark()
  end
  epoch = string.format('%.0f%06d', time[1], time[2])
  redis.call('HSET', books, 'epoch', epoch)
end
-- What is booked before the process has given back what it knows would be lost in it.
if known ~= '' and known ~= epoch then return { epoch } end

for _, id in ipairs(redis.call('ZRANGEBYSCORE', due, '-inf', now, 'LIMIT', 0, BATCH)) do release(id) end
redis.call('ZREMRANGEBYSCORE', settled, '-inf', now - settledMs)
if windowMs > 0 then
  local old = redis.call('ZRANGEBYSCORE', recent, '-inf', now - windowMs, 'LIMIT', 0, BATCH)
  for _, packed in ipairs(old) do
    local one = cjson.decode(packed)
    for i = 4, #one do add('s', one[i], one[2], one[3], '-') end
    redis.call('ZREM', recent, packed)
  end
end
`;

/** ARGV: id, dollars, tokens; then for each purse its name and limits. */
export const RESERVE: Script = script(`
local id, usd, tokens = ARGV[4], ARGV[5], ARGV[6]
local names, one = {}, { usd, tokens }
for i = 7, #ARGV, 3 do
  names[#names + 1] = ARGV[i]
  one[#one + 1] = ARGV[i]
end
local function refuse()
  local answer = totals(names)
  table.insert(answer, 1, '0')
  return answer
end
if redis.call('ZSCORE', settled, id) then return refuse() end

local untilBefore = redis.call('ZSCORE', due, id)
local before = release(id)
for i = 7, #ARGV, 3 do
  local sums = redis.call('HMGET', books, 'su' .. ARGV[i], 'ru' .. ARGV[i], 'st' .. ARGV[i], 'rt' .. ARGV[i])
  local function fits(spent, reserved, amount, limit)
    return limit == '' or tonumber(spent or '0') + tonumber(reserved or '0') + tonumber(amount) <= tonumber(limit)
  end
  if not (fits(sums[1], sums[2], usd, ARGV[i + 1]) and fits(sums[3], sums[4], tokens, ARGV[i + 2])) then
    if before then hold(id, before, untilBefore) end
    return refuse()
  end
end
hold(id, cjson.encode(one), now + lifeMs)
local answer = totals(names)
table.insert(answer, 1, '1')
return answer
`);

/** ARGV: id, what becomes of the excess, dollars, tokens; then the names of the purses. */
export const SETTLE: Script = script(`
local id, excess = ARGV[4], ARGV[5]
local actual = { ARGV[6], ARGV[7] }
local names = {}
for i = 8, #ARGV do names[#names + 1] = ARGV[i] end
if redis.call('ZADD', settled, 'NX', now, id) == 0 then return totals(names) end

local packed = release(id)
book(id, actual, packed and cjson.decode(packed), excess, names)
return totals(names)
`);

/** ARGV: the names of the purses. */
export const TOTALS: Script = script(`
local names = {}
for i = 4, #ARGV do names[#names + 1] = ARGV[i] end
return totals(names)
`);

/** ARGV: the ids to keep. Answers with those under which nothing is held. */
export const KEEP: Script = script(`
local gone = {}
for i = 4, #ARGV do
  if redis.call('ZSCORE', due, ARGV[i]) then
    redis.call('ZADD', due, now + lifeMs, ARGV[i])
  else
    gone[#gone + 1] = ARGV[i]
  end
end
return gone
`);

/**
 * ARGV: id, number, whether it is over, what becomes of the excess, parts; dollars and tokens of calls, kept and wanted; how many
 * purses, and of each its name and limits; then of each booking its id, dollars, tokens, those that were reserved (empty if
 * nothing was), how many purses, and their names. Answers whether it is held, what is idle, and the books.
 */
export const LEASE: Script = script(`
local id, number, isOver, excess, parts = ARGV[4], tonumber(ARGV[5]), ARGV[6] == '1', ARGV[7], tonumber(ARGV[8])
local calls, kept, wanted = {}, {}, {}
for unit = 1, 2 do
  calls[unit], kept[unit] = tonumber(ARGV[8 + unit]), tonumber(ARGV[10 + unit])
  wanted[unit] = tonumber(ARGV[12 + unit])
end
local names, limits, at = {}, {}, 16
for i = 1, tonumber(ARGV[15]) do
  names[i], limits[i] = ARGV[at], { ARGV[at + 1], ARGV[at + 2] }
  at = at + 3
end

local last = tonumber(redis.call('HGET', leases, id) or '0')
local untilBefore = redis.call('ZSCORE', due, id)
local packed = release(id)
local before = packed and cjson.decode(packed)
local drawn = { 0, 0 }
while at <= #ARGV do
  local call, actual, reserved = ARGV[at], { ARGV[at + 1], ARGV[at + 2] }, nil
  if before and ARGV[at + 3] ~= '' then reserved = { ARGV[at + 3], ARGV[at + 4] } end
  local count, purses = tonumber(ARGV[at + 5]), {}
  for i = 1, count do purses[i] = ARGV[at + 5 + i] end
  at = at + 6 + count
  if redis.call('ZADD', settled, 'NX', now, call) == 1 then
    book(call, actual, reserved, excess, purses)
    for unit = 1, 2 do drawn[unit] = drawn[unit] + tonumber(actual[unit]) end
  end
end

local function whole(amount) return string.format('%.0f', amount) end
local function tell(flag, idle)
  local answer = totals(names)
  table.insert(answer, 1, whole(idle[2]))
  table.insert(answer, 1, whole(idle[1]))
  table.insert(answer, 1, flag)
  return answer
end

if before and number <= last then
  local idle = {}
  for unit = 1, 2 do
    local amount = math.max(0, tonumber(before[unit]) - drawn[unit])
    before[unit], idle[unit] = whole(amount), math.max(0, amount - calls[unit])
  end
  hold(id, cjson.encode(before), untilBefore)
  redis.call('HSET', leases, id, last)
  return tell('1', idle)
end
if isOver then redis.call('ZADD', settled, 'NX', now, id) end
if redis.call('ZSCORE', settled, id) or (not before and number ~= 1) then return tell('0', { 0, 0 }) end

local idle = { wanted[1], wanted[2] }
for i, name in ipairs(names) do
  for unit, kind in ipairs({ 'u', 't' }) do
    if limits[i][unit] ~= '' then
      local sums = redis.call('HMGET', books, 's' .. kind .. name, 'r' .. kind .. name)
      local left = tonumber(limits[i][unit]) - tonumber(sums[1] or '0') - tonumber(sums[2] or '0')
      idle[unit] = math.min(idle[unit], math.floor(math.max(0, left - calls[unit]) / parts))
    end
  end
end
local one = {}
for unit = 1, 2 do
  idle[unit] = math.max(idle[unit], kept[unit])
  one[unit] = whole(calls[unit] + idle[unit])
end
for i, name in ipairs(names) do one[2 + i] = name end
hold(id, cjson.encode(one), now + lifeMs)
redis.call('HSET', leases, id, ARGV[5])
return tell('1', idle)
`);

/**
 * ARGV: of each purse its name, and the dollars and tokens that were spent at least when the server lost its books. Books what is
 * beyond that which others have given back, beside all that was spent since.
 */
export const RESTORE: Script = script(`
for i = 4, #ARGV, 3 do
  local name, one, isMore = ARGV[i], { table.concat({ 'restored', epoch, ARGV[i + 1], ARGV[i + 2] }, ' ') }, false
  for unit, kind in ipairs({ 'u', 't' }) do
    local missing = tonumber(ARGV[i + unit]) - tonumber(redis.call('HGET', books, 'b' .. kind .. name) or '0')
    one[1 + unit] = string.format('%.0f', math.max(0, missing))
    if missing > 0 then
      redis.call('HSET', books, 'b' .. kind .. name, ARGV[i + unit])
      isMore = true
    end
  end
  if isMore then
    add('s', name, one[2], one[3], '')
    one[4] = passing(name)
    if windowMs > 0 then redis.call('ZADD', recent, now, cjson.encode(one)) end
  end
end
return {}
`);

/** ARGV: with which options a process uses the budget, and which others it knows of. Answers with those of the processes before it. */
export const AGREE: Script = script(`${noteOptions('books', 'ARGV[4]', 'ARGV[5]')}`);

/** ARGV: none. Answers with the overdraft of the whole budget. */
export const OVERDRAFT: Script = script(`
local sums = redis.call('HMGET', books, 'ou', 'ot')
return { sums[1] or '0', sums[2] or '0' }
`);

/**
 * A script over the books. The last of its arguments says which books the process knows, empty if any will do; with others it changes
 * nothing. The last of what it answers says which books these are: after a loss it is another.
 */
function script(body: string): Script {
  return scriptOf(`${BEGIN}
local function decide()${body}end
local answer = decide()
answer[#answer + 1] = epoch
return answer`);
}
