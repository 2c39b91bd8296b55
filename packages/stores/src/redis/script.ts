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

/** Notes options in a hash, beside those that are noted, and answers with what was there. */
export function noteOptions(hash: string, options: string): string {
  return `
local before = redis.call('HGET', ${hash}, 'options')
local all = before and cjson.decode(before) or {}
for name, value in pairs(cjson.decode(${options})) do all[name] = value end
redis.call('HSET', ${hash}, 'options', cjson.encode(all))
return { before or '' }
`;
}
