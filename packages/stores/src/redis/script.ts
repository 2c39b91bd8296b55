import { createHash } from 'node:crypto';

/** A Lua script, and the hash that Redis knows it by. */
export interface Script {
  readonly lua: string;
  readonly sha: string;
}

/** A script with its hash. */
export function scriptOf(lua: string): Script {
  return { lua, sha: createHash('sha1').update(lua).digest('hex') };
}

/** Notes options in a hash, beside those that are noted, unless others than are known are in the way. Answers with what was there. */
export function noteOptions(hash: string, options: string, known: string): string {
  return `
local before = redis.call('HGET', ${hash}, 'options')
local all = before and cjson.decode(before) or {}
local known, isNews = cjson.decode(${known}), false
for name, value in pairs(cjson.decode(${options})) do
  local noted = all[name] or value
  if noted ~= value and noted ~= known[name] then isNews = true end
  all[name] = value
end
if not isNews then redis.call('HSET', ${hash}, 'options', cjson.encode(all)) end
return { before or '' }
`;
}
