import { withoutLaps } from '@teamfuse/core/kit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

interface Message {
  readonly role: string;
  readonly content?: string;
  readonly tool_calls?: readonly { readonly id: string; readonly args: string }[];
  readonly tool_call_id?: string;
}

const TASK: Message = { role: 'user', content: 'When is high water?' };
const call = (id: string, args: string): Message => ({
  role: 'assistant',
  tool_calls: [{ id, args }],
});
const result = (id: string, content: string): Message => ({
  role: 'tool',
  tool_call_id: id,
  content,
});
const lap = (id: string, args = 'tides', found = 'nothing'): Message[] => [
  call(id, args),
  result(id, found),
];

/** What an answer says, or the calls that it asks for side by side. */
const STEPS = fc.array(
  fc.oneof(
    fc.array(fc.constantFrom('a', 'b'), { minLength: 1, maxLength: 3 }),
    fc.constantFrom('so', 'next'),
  ),
  { maxLength: 40 },
);

/** Calls with their results and texts; ids are numbered through, or anew in each answer. */
const HISTORIES: fc.Arbitrary<Message[]> = fc.tuple(STEPS, fc.boolean()).map(([steps, isAnew]) =>
  steps.flatMap((step, at): Message[] => {
    if (typeof step === 'string') return [{ role: 'assistant', content: step }];
    const ids = step.map((args, nth) => [isAnew ? `${nth}` : `${at}.${nth}`, args] as const);
    return [
      { role: 'assistant', tool_calls: ids.map(([id, args]) => ({ id, args })) },
      ...ids.map(([id, args]) => result(id, args)),
    ];
  }),
);

/** Expects the results of each answer's calls behind it, and no others. */
function expectWhole(messages: readonly Message[]): void {
  let open: string[] = [];
  for (const { tool_calls: calls = [], tool_call_id: id } of messages) {
    if (id === undefined) {
      expect(open).toEqual([]);
      open = calls.map((one) => one.id);
    } else {
      expect(open.shift()).toBe(id);
    }
  }
  expect(open).toEqual([]);
}

describe('a history without laps', () => {
  it('[LAD8] keeps the first lap of a loop, and what comes after it', () => {
    const after: Message = { role: 'assistant', content: 'At noon.' };
    const history = [TASK, ...lap('1'), ...lap('2'), ...lap('3'), after];
    expect(withoutLaps(history)).toEqual([TASK, ...lap('1'), after]);
  });

  it('[LAD8] is the same list where each lap has something of its own', () => {
    const history = [TASK, ...lap('1', 'a'), ...lap('2', 'b'), ...lap('3', 'b', 'noon')];
    expect(withoutLaps(history)).toBe(history);
  });

  it.each(['input', 'args', 'arguments', 'output', 'result', 'response'])(
    '[LAD8] keeps laps that differ in an id of their `%s`, which says what they are about',
    (field) => {
      const about = (toolCallId: string, id: string): object[] => [
        { role: 'assistant', content: [{ type: 'tool-call', toolCallId, [field]: { id } }] },
        { role: 'tool', content: [{ type: 'tool-result', toolCallId }] },
      ];
      const moving = [...about('1', 'row 1'), ...about('2', 'row 2'), ...about('3', 'row 3')];
      expect(withoutLaps(moving)).toBe(moving);
      const same = [...about('1', 'row 1'), ...about('2', 'row 1')];
      expect(withoutLaps(same)).toEqual(same.slice(0, 2));
    },
  );

  it.each(['thoughtSignature', 'thought_signature'])(
    '[LAD8] leaves out laps whatever Gemini seals its thoughts with in `%s`',
    (field) => {
      const sealed = (seal: string): object[] => [
        { role: 'model', parts: [{ functionCall: { name: 'search', args: {} }, [field]: seal }] },
        { role: 'user', parts: [{ functionResponse: { name: 'search', response: {} } }] },
      ];
      const first = sealed('a');
      expect(withoutLaps([TASK, ...first, ...sealed('b')])).toEqual([TASK, ...first]);
      expect(withoutLaps([TASK, ...first, ...sealed('a')])).toEqual([TASK, ...first]);
    },
  );

  it('[LAD8] keeps references to different items', () => {
    const references = ['msg_1', 'msg_2', 'msg_3'].map((id) => ({ type: 'item_reference', id }));
    expect(withoutLaps(references)).toBe(references);
  });

  it('[LAD8] begins a lap at its calls where several stand side by side', () => {
    const both = (lap: string, args: string): Message[] => [
      call(`${lap}a`, args),
      call(`${lap}b`, 'port'),
      result(`${lap}a`, 'nothing'),
      result(`${lap}b`, 'nothing'),
    ];
    const history = [TASK, ...both('1', 'sea'), ...both('2', 'tides'), ...both('3', 'tides')];
    expect(withoutLaps(history)).toEqual(history.slice(0, 9));
  });

  it('[LAD8] leaves out laps that have the same ids, too', () => {
    const history = [TASK, ...lap('call_0', 'sea'), ...lap('call_0'), ...lap('call_0')];
    expect(withoutLaps(history)).toEqual(history.slice(0, 5));
  });

  it('[LAD8] has each call with its result, in order', () => {
    fc.assert(
      fc.property(HISTORIES, (history) => {
        const kept = withoutLaps(history);
        expectWhole(kept);
        expect(history.filter((message) => kept.includes(message))).toEqual(kept);
      }),
    );
  });
});
