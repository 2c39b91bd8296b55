import { createClient } from 'redis';

/** Lets the time of a budget pass: all that its server has dated becomes older. */
export async function advance(url: string, ms: number, budget: string): Promise<void> {
  const client = await createClient({ url }).connect();
  for (const part of ['due', 'settled', 'recent']) {
    const key = `teamfuse:{${encodeURIComponent(budget)}}:${part}`;
    for (const member of await client.zRange(key, 0, -1)) await client.zIncrBy(key, -ms, member);
  }
  client.destroy();
}
