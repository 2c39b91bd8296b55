import { describe, expect, test } from 'vitest';
import { formatOf } from '../src/formats/index.ts';
import { mayTell, withNotice } from '../src/guard/notices.ts';
import { calling, type Message, result, user, Wiretap } from './support/wiretap.ts';

const LADDER = { reaction: 'ladder' } as const;

/** Asks with a history in which the same call comes again and again. Returns the statuses. */
async function loop(
  wiretap: Wiretap,
  laps: number,
  resultOf: (lap: number) => string = () => 'nothing',
): Promise<number[]> {
  const history: Message[] = [user('When is high water?')];
  const statuses: number[] = [];
  for (let lap = 1; lap <= laps; lap++) {
    const call = calling([`call ${lap}`, 'search', { q: 'tides' }]);
    statuses.push((await wiretap.ask(history, call)).status);
    history.push(call, result(`call ${lap}`, resultOf(lap)));
  }
  return statuses;
}

function messagesIn({ body }: { readonly body: string }): readonly Message[] {
  return JSON.parse(body).messages;
}

describe('a model in a loop', () => {
  test('[WIRE64] is told of it once, after the result, before it is stopped at the fifth lap', async () => {
    const wiretap = new Wiretap({}, LADDER);
    expect(await loop(wiretap, 7)).toEqual([200, 200, 200, 200, 200, 402, 402]);
    const told = wiretap.sent.map((request) => messagesIn(request).at(-1));
    expect(told.map((last) => last?.role)).toEqual(['user', 'tool', 'user', 'tool', 'tool']);
    expect(told[2]?.content).toContain(
      "teamfuse: Notice: 'search' was called twice with the same arguments and the same result.",
    );
    expect(messagesIn(wiretap.sent[2] as never).at(-2)?.role).toBe('tool');
  });

  test('[WIRE64] reports what it is told as a notice, and its length with the prompt', async () => {
    const wiretap = new Wiretap({ nudge: ({ kind }) => `Careful: ${kind}.` }, LADDER);
    await loop(wiretap, 3);
    const notices = wiretap.told.filter(({ signal }) => signal.kind === 'notice');
    expect(notices.map(({ signal }) => signal)).toMatchObject([
      { agent: 'teamfuse', text: 'Careful: repetition.' },
    ]);
  });

  test('[WIRE64] is told nothing where each result is another one', async () => {
    const wiretap = new Wiretap({}, LADDER);
    const pages = [
      'the harbour',
      'a lighthouse',
      'two ferries',
      'one pier',
      'some dunes',
      'a port',
    ];
    const statuses = await loop(wiretap, 6, (lap) => `page ${lap} is about ${pages[lap - 1]}`);
    expect(statuses).toEqual(Array(6).fill(200));
    expect(wiretap.sent.some(({ body }) => body.includes('teamfuse:'))).toBe(false);
  });

  test('[WIRE64] gets its call where the text for it fails', async () => {
    const errors: unknown[] = [];
    const nudge = () => {
      throw new Error('no words');
    };
    const wiretap = new Wiretap({ nudge, onError: (error) => errors.push(error) }, LADDER);
    expect(await loop(wiretap, 3)).toEqual([200, 200, 200]);
    expect(errors).toMatchObject([{ message: 'no words' }]);
  });
});

describe('what a guard says', () => {
  const [chat, messages, responses] = ['chat/completions', 'messages', 'responses'].map((path) =>
    formatOf(`https://api.example/v1/${path}`),
  ) as [never, never, never];
  const told = (format: never, body: object): unknown =>
    JSON.parse(withNotice(format, body as never, JSON.stringify(body), 'look elsewhere'));
  const notice = { role: 'user', content: 'teamfuse: look elsewhere' };

  test('[WIRE64] follows the history in each API', () => {
    const asked = { role: 'user', content: 'Go.' };
    expect(told(chat, { messages: [asked] })).toEqual({ messages: [asked, notice] });
    expect(told(messages, { messages: [asked], system: '[]' })).toMatchObject({
      messages: [asked, notice],
    });
    const output = { type: 'function_call_output', call_id: '1', output: '{"a":[1]}' };
    expect(told(responses, { input: [output] })).toEqual({ input: [output, notice] });
    expect(told(responses, { input: 'Go.' })).toEqual({ input: [asked, notice] });
  });

  test('[WIRE64] leaves numbers as they were written', () => {
    const text =
      '{"messages": [{"role":"user","content":"Go.","id":12345678901234567890} ], "n":1.0}';
    const body = JSON.parse(text);
    expect(withNotice(chat, body, text, 'x')).toBe(
      '{"messages": [{"role":"user","content":"Go.","id":12345678901234567890} ,{"role":"user","content":"teamfuse: x"}], "n":1.0}',
    );
  });

  test('[WIRE64] waits where an answer is to be continued, or a call is open', () => {
    const go = { role: 'user', content: 'Go.' };
    expect(mayTell(messages, { messages: [go, { role: 'assistant', content: 'The' }] })).toBe(
      false,
    );
    expect(mayTell(responses, { input: [{ type: 'function_call', call_id: '1' }] })).toBe(false);
    expect(mayTell(chat, { messages: [] })).toBe(false);
    expect(mayTell(chat, { messages: [go] })).toBe(true);
  });
});

describe('a model that was told of its loop', () => {
  const contents = (request: { readonly body: string } | undefined): unknown[] =>
    messagesIn(request as never).map(({ role, content }) => (role === 'tool' ? content : role));

  test('[WIRE81] is asked without the laps that repeat it, and the caller keeps them', async () => {
    const wiretap = new Wiretap({ cutLaps: true }, LADDER);
    await loop(wiretap, 4);
    expect(contents(wiretap.sent[1])).toEqual(['user', 'assistant', 'nothing']);
    expect(contents(wiretap.sent[2])).toEqual(['user', 'assistant', 'nothing', 'user']);
    expect(contents(wiretap.sent[3])).toEqual(['user', 'assistant', 'nothing']);
  });

  test('[WIRE81] is asked with all laps by default', async () => {
    const wiretap = new Wiretap({}, LADDER);
    await loop(wiretap, 3);
    const lap = ['assistant', 'nothing'];
    expect(contents(wiretap.sent[2])).toEqual(['user', ...lap, ...lap, 'user']);
  });

  test('[WIRE81] is asked byte for byte what came where nothing was found', async () => {
    const wiretap = new Wiretap({ cutLaps: true }, LADDER);
    await loop(wiretap, 5, (lap) => `${lap} ${'abcdef'.slice(lap)} metres`);
    for (const [at, { body }] of wiretap.sent.entries()) {
      expect(JSON.parse(body).messages).toHaveLength(1 + 2 * at);
    }
  });
});
