import { Breaker } from '@teamfuse/core';
import { expect } from 'vitest';
import { guardRunner, tripOf } from '../../src/index.ts';
import { look, looking, NO_CAP, newRunner, watcher } from './looking.ts';

/** Has so many agents run side by side, every other one in circles: each run has a conversation of its own. */
export async function runSideBySide(count: number): Promise<void> {
  const breaker = new Breaker();
  const conversations = new Map<string, Set<string>>();
  breaker.on('signal', ({ conversation, signal }) => {
    if (signal.kind !== 'tool-call') return;
    const places = conversations.get(conversation) ?? new Set();
    conversations.set(conversation, places.add(JSON.stringify(signal.args)));
  });
  const runner = newRunner();
  guardRunner(runner, breaker);
  const shared = look((at) => `seen ${at}`);
  const runs = Array.from({ length: count }, async (_, at) => {
    const loops = at % 2 === 0;
    const model = looking(loops ? 20 : 5, {
      place: (step) => (loops ? `${at}` : `${at} ${step}`),
    });
    const agent = watcher(model, { tools: [shared] });
    if (at % 4 < 2) return runner.run(agent, 'Look.', NO_CAP);
    const result = await runner.run(agent, 'Look.', { ...NO_CAP, stream: true });
    await result.completed;
    return result;
  });
  for (const [at, result] of (await Promise.all(runs)).entries()) {
    expect(tripOf(result)?.kind).toBe(at % 2 === 0 ? 'repetition' : undefined);
  }
  expect(conversations.size).toBe(count);
  for (const places of conversations.values()) {
    expect(new Set([...places].map((one) => Number.parseInt(one.slice(7), 10))).size).toBe(1);
  }
}
