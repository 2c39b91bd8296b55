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
