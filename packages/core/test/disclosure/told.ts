import { expect, it } from 'vitest';
import {
  Breaker,
  type BreakerEventMap,
  explain,
  type Signal,
  TrippedError,
} from '../../src/index.ts';
import type { Question } from '../../src/kit.ts';
import { leakedIn, SECRET_FORMS } from '../support/secret-forms.ts';

const EVENTS: readonly (keyof BreakerEventMap)[] = [
  'finding',
  'trip',
  'refusal',
  'state',
  'answer',
];

/** Signals that hold a text wherever a team can put one. */
function said(text: string, at: number): Signal[] {
  const args = { note: text, nested: { deep: [text] } };
  const tool = { kind: 'tool-call', agent: 'clerk', tool: 'connect' } as const;
  return [
    { ...tool, at, args, error: { message: `refused: ${text}` } },
    { ...tool, at, args, result: [text] },
    { kind: 'message', at, agent: 'writer', text: `I used ${text}` },
    {
      kind: 'execution',
      at,
      agent: 'clerk',
      language: 'sh',
      code: text,
      exitCode: 1,
      output: text,
    },
  ];
}

/** All that a breaker tells of a team that repeats a text, but for the events that pass things on as they are. */
function toldOf(text: string): Record<string, string> {
  const told: Record<string, unknown[]> = { judge: [] };
  const judge = (question: Question): number => (told.judge?.push(question) === undefined ? 1 : 0);
  const breaker = new Breaker({ now: () => 0, judge: { confirm: judge, askAt: 0.01 } });
  for (const event of EVENTS) {
    const heard: unknown[] = [];
    told[event] = heard;
    breaker.on(event, (payload) => heard.push(payload));
  }
  for (let at = 0; at < 6; at++) {
    for (const signal of said(text, at * 4_000)) {
      breaker.admit({ kind: 'tool-call', at: at * 4_000, agent: 'a', tool: text, args: text });
      breaker.observe(signal);
    }
  }
  const { trip } = breaker.conversation();
  if (trip === undefined) throw new Error('the team was expected to trip');
  told.snapshot = [breaker.snapshot()];
  const outputs = Object.entries(told).map(([name, all]) => [name, JSON.stringify(all)]);
  return {
    ...Object.fromEntries(outputs),
    explain: explain(trip),
    error: new TrippedError(trip).message,
  };
}

/** Tests that a breaker tells no secret of every so many-th form. */
export function testTold(every: number): void {
  it.each(SECRET_FORMS.filter((_, at) => at % every === 0))(
    '[RED12] %s is told by no event, snapshot, explanation or question',
    (...form) => {
      const told = toldOf(form[1]);
      // A snapshot holds the numbers in outputs, by which progress shows, without the words beside them.
      if (/^\d+$/.test(form[2])) told.snapshot = '';
      const leaks = Object.entries(told).filter(
        ([, output]) => leakedIn(output, [form]).length > 0,
      );
      expect(leaks.map(([outlet]) => outlet)).toEqual([]);
    },
  );
}
