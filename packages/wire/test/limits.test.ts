import type { BreakerOptions } from '@teamfuse/core';
import { describe, expect, test } from 'vitest';
import { calling, type Message, result, user, Wiretap } from './support/wiretap.ts';

const TWO_SEARCHES: BreakerOptions = { limits: { tools: { search: { maxCalls: 2 } } } };

/** Asks with a history that gets a new call with a new result each time. */
async function work(breaker: BreakerOptions, calls: number, tool = 'search') {
  const wiretap = new Wiretap({}, breaker);
  const history: Message[] = [user('What is there to see?')];
  const statuses: number[] = [];
  for (let i = 1; i <= calls; i++) {
    const call = calling([`call ${i}`, tool, { page: i }]);
    statuses.push((await wiretap.ask(history, call)).status);
    history.push(call, result(`call ${i}`, `field ${i} has ${i * 31} birds`));
  }
  const bodies = wiretap.sent.map(({ body }) => body);
  return { statuses, bodies, ends: bodies.map((body) => JSON.parse(body).messages.at(-1)) };
}

describe('a model with limits that it is told of', () => {
  test('[WIRE80] learns after the result of a call that half of them is left, then a quarter and the last', async () => {
    const { ends } = await work({ maxModelCalls: 9, tellLimits: true }, 9);
    const told = ends.filter(({ role }) => role === 'user').map(({ content }) => content);
    const ending = 'Bring the task to an end in time, or say what you have found so far.';
    expect(told.slice(1)).toEqual([
      `teamfuse: Notice: 4 of 9 model calls are left. ${ending}`,
      `teamfuse: Notice: 2 of 9 model calls are left. ${ending}`,
      `teamfuse: Notice: 1 of 9 model calls is left. ${ending}`,
    ]);
    expect(ends.map(({ role }) => role)).toEqual([
      ...['user', 'tool', 'tool', 'tool', 'tool', 'user', 'tool', 'user', 'user'],
    ]);
  });

  test('[WIRE80] gets the same bytes as without them where it stays far from them', async () => {
    const [told, untold] = await Promise.all([
      work({ maxModelCalls: 9, tellLimits: true }, 5),
      work({ maxModelCalls: 9 }, 5),
    ]);
    expect(told.bodies).toEqual(untold.bodies);
  });
});

describe('the limit of a tool that runs elsewhere', () => {
  test('[WIRE80] refuses the model once a call beyond it was made', async () => {
    expect((await work(TWO_SEARCHES, 5)).statuses).toEqual([200, 200, 200, 402, 402]);
  });

  test('[WIRE80] leaves a conversation alone that calls another tool', async () => {
    expect((await work(TWO_SEARCHES, 5, 'find')).statuses).toEqual(Array(5).fill(200));
  });
});
