import { describe, expect, test } from 'vitest';
import { formatOf } from '../src/formats/index.ts';
import { withBound } from '../src/guard/last-answer.ts';
import { calling, type Message, result, user, Wiretap } from './support/wiretap.ts';

const WRAP_UP = { wrapUp: { maxTokens: 50 } } as const;
const TOOL = { type: 'function', function: { name: 'search', parameters: {} } };

/** A team that was stopped by a loop, and how it asks on. */
async function stopped(breaker: object = WRAP_UP) {
  const wiretap = new Wiretap({}, breaker);
  const history: Message[] = [user('When is high water?')];
  let refused: Response | undefined;
  for (let lap = 1; refused === undefined; lap++) {
    const call = calling([`call ${lap}`, 'search', { q: 'tides' }]);
    const response = await wiretap.ask(history, call);
    if (response.status === 402) refused = response;
    else history.push(call, result(`call ${lap}`, 'nothing'));
    if (lap > 9) throw new Error('no loop');
  }
  const sum = [...history, user('Sum it up.')];
  const ask = (more: object = {}) => {
    const body = JSON.stringify({ model: 'gpt-4o-mini', messages: sum, ...more });
    return wiretap.fetch('https://api.example/v1/chat/completions', { method: 'POST', body });
  };
  return { ask, wiretap, history };
}

describe('a caller that asks on after a refusal', () => {
  test('[WIRE65] gets one answer without tools, bounded and marked, and no more', async () => {
    const { ask, wiretap } = await stopped();
    const trips: unknown[] = [];
    wiretap.breaker.on('trip', (trip) => trips.push(trip));
    const before = wiretap.sent.length;
    const responses = [await ask(), await ask(), await ask()];
    expect(responses.map(({ status }) => status)).toEqual([200, 402, 402]);
    expect(responses[0]?.headers.get('x-teamfuse-last-answer')).toBe('true');
    expect(wiretap.sent).toHaveLength(before + 1);
    expect(JSON.parse(wiretap.sent.at(-1)?.body ?? '')).toMatchObject({
      max_completion_tokens: 50,
    });
    expect(trips).toEqual([]);
    const [conversation = ''] = wiretap.conversations;
    const { state } = wiretap.breaker.conversation(conversation);
    expect(state).toMatchObject({ status: 'open', trip: { hasLastAnswer: true } });
  });

  test('[WIRE65] gets one of several that it asks for side by side', async () => {
    const { ask } = await stopped();
    const statuses = (await Promise.all([ask(), ask(), ask()])).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([200, 402, 402]);
  });

  test('[WIRE65] gets none with tools, with several answers, after a stop by hand, or without the option', async () => {
    const { ask, wiretap } = await stopped();
    const more = [{ tools: [TOOL] }, { n: 2 }, { web_search_options: {} }];
    for (const one of more) expect((await ask(one)).status).toBe(402);
    expect((await ask({ tools: [TOOL], tool_choice: 'none' })).status).toBe(200);
    const byHand = await stopped();
    byHand.wiretap.breaker.stop('enough');
    expect((await byHand.ask()).status).toBe(402);
    const without = await stopped({});
    expect((await without.ask()).status).toBe(402);
    expect(wiretap.sent.at(-1)?.headers.has('x-teamfuse-last-answer')).toBe(false);
  });

  test('[WIRE65] keeps a smaller bound of its own, in the field that it has', () => {
    const [chat, messages, responses] = ['chat/completions', 'messages', 'responses'].map((path) =>
      formatOf(`https://api.example/v1/${path}`),
    ) as [never, never, never];
    const bound = (format: never, body: object) =>
      JSON.parse(withBound(format, body as never, JSON.stringify(body), 50));
    expect(bound(chat, { model: 'm' })).toEqual({ model: 'm', max_completion_tokens: 50 });
    expect(bound(chat, { max_tokens: 900 })).toEqual({ max_tokens: 50 });
    expect(bound(messages, { max_tokens: 900 })).toEqual({ max_tokens: 50 });
    expect(bound(responses, { model: 'm' })).toEqual({ model: 'm', max_output_tokens: 50 });
  });

  test('[WIRE65] is not asked for by the first call that is refused: its caller knows of no stop', async () => {
    const wiretap = new Wiretap({}, { ...WRAP_UP, maxModelCalls: 1 });
    const history = [user('Hello.')];
    await wiretap.ask(history, 'Hi.');
    const next = [...history, { role: 'assistant', content: 'Hi.' }, user('And now?')];
    const statuses = [await wiretap.ask(next, 'x'), await wiretap.ask(next, 'x')];
    expect(statuses.map(({ status }) => status)).toEqual([402, 200]);
  });
});
