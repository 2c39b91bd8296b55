import { type Script, scriptOf } from './script.ts';

/** KEYS: a conversation. Answers with its version and its state, or with nothing. */
export const LOAD: Script = scriptOf(`
local saved = redis.call('HMGET', KEYS[1], 'version', 'state')
return saved[1] and saved or {}
`);

/**
 * KEYS: a conversation. ARGV: the version that it is saved on top of, or nothing, the new one, the state, and for how many milliseconds
 * it is kept. Answers with the version that is there.
 */
export const SAVE: Script = scriptOf(`
local before = redis.call('HGET', KEYS[1], 'version') or ''
if before ~= ARGV[1] then return { before } end
redis.call('HSET', KEYS[1], 'version', ARGV[2], 'state', ARGV[3])
redis.call('PEXPIRE', KEYS[1], ARGV[4])
return { ARGV[2] }
`);
