import { createClient } from 'redis';

const AGE = `
for _, key in ipairs(KEYS) do
  for _, member in ipairs(redis.call('ZRANGE', key, 0, -1)) do redis.call('ZINCRBY', key, -ARGV[1], member) end
end`;

/** Lets the time of a budget pass: all that its server has dated becomes older. */
export async function advance(url: string, ms: number, budget: string): Promise<void> {
  const client = await createClient({ url }).connect();
  const keys = ['due', 'settled', 'recent'].map(
    (part) => `teamfuse:{${encodeURIComponent(budget)}}:${part}`,
  );
  await client.eval(AGE, { keys, arguments: [String(ms)] });
  client.destroy();
}

const AGE_CIRCUITS = `
for _, id in ipairs(redis.call('HKEYS', KEYS[1])) do
  local one = cjson.decode(redis.call('HGET', KEYS[1], id))
  local function older(i) one[i] = string.format('%.0f', tonumber(one[i]) - ARGV[1]) end
  if one[1] == 'open' then older(3) end
  if one[1] ~= 'stopped' then older(4) end
  redis.call('HSET', KEYS[1], id, cjson.encode(one))
end
for _, id in ipairs(redis.call('ZRANGE', KEYS[2], 0, -1)) do redis.call('ZINCRBY', KEYS[2], -ARGV[1], id) end`;

/** Lets the time of a fleet pass. */
export async function advanceCircuits(url: string, ms: number, fleet: string): Promise<void> {
  const client = await createClient({ url }).connect();
  const keys = ['circuits', 'ends'].map(
    (part) => `teamfuse:{${encodeURIComponent(fleet)}}:${part}`,
  );
  await client.eval(AGE_CIRCUITS, { keys, arguments: [String(ms)] });
  client.destroy();
}
