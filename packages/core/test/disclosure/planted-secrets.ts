import { describe, expect, it } from 'vitest';
import type { Detector } from '../../src/detectors.ts';
import {
  Breaker,
  type BreakerEventMap,
  type BreakerOptions,
  explain,
  type Signal,
} from '../../src/index.ts';
import {
  type AdmissionRequest,
  type JsonValue,
  parseSignal,
  type Question,
} from '../../src/kit.ts';
import { SIGNAL_FIELDS, SIGNAL_KINDS } from '../../src/signal/signal-fields.ts';

/** Identifiers that programs go by: they stay as they are. */
const OWN_NAMES = ['agent', 'requestId', 'model'];
const TIMES = 14;
const EVENTS: readonly (keyof BreakerEventMap)[] = [
  'finding',
  'trip',
  'refusal',
  'state',
  'answer',
  'error',
];

/** How the secret that stands in a field is spelled. */
type Spell = (field: string) => string;
const asWord: Spell = (field) => `Planted${field}Word`;
const asKey: Spell = (field) => `sk-proj-0a1b2c3d4e5f6g7h8i9j${field}`;

/** Signals of each kind in which every field that can hold a text holds a secret of its own. */
function planted(spell: Spell): Signal[] {
  return SIGNAL_KINDS.flatMap((kind) => {
    const fields = (SIGNAL_FIELDS.get(kind) ?? []).map(({ name, type }) => [
      name,
      valueFor(type, spell(name), spell(`${name}Two`)),
    ]);
    const whole: Record<string, unknown> = { ...Object.fromEntries(fields), kind, at: 0 };
    if (kind !== 'tool-call') return [parseSignal(whole)];
    const { result, error, ...call } = whole;
    return [
      parseSignal({ ...call, result }),
      parseSignal({ ...call, result: `Error: ${spell('result')} went wrong` }),
      parseSignal({ ...call, error }),
      parseSignal({ ...call, error, executed: false }),
    ];
  });
}

function valueFor(type: string, secret: string, other: string): unknown {
  switch (type) {
    case 'text':
      return `It says: ${secret}`;
    case 'label':
    case 'name':
      return secret;
    case 'names':
      return ['main', secret];
    case 'json':
      return { [other]: [secret], deep: { text: secret } } satisfies JsonValue;
    case 'error':
      return { message: `The file ${secret} is missing`, code: other };
    case 'exit-code':
      return 1;
    case 'boolean':
      return true;
    case 'role':
      return 'assistant';
    case 'decision':
      return 'timeout';
    case 'tier':
      return 'flex';
    default:
      return 1;
  }
}

/** Finds something at every signal, and quotes it. */
function quoting(): Detector {
  const kind = 'custom:quoting';
  return {
    kind,
    observe: ({ signal, index }) => {
      const evidence = { agents: [signal.agent], indices: [index], count: 1, limit: 1 };
      const subject = JSON.stringify(signal).slice(0, 300);
      const reason = `${signal.agent} did ${subject}`;
      return { level: 'trip', kind, reason, evidence: { ...evidence, subject } };
    },
    reset() {},
    snapshot: () => null,
    restore() {},
  };
}

/** All that comes out of a breaker that is fed one signal over and over, as one text. */
function outputOf(signal: Signal, options: BreakerOptions, spell: Spell): string {
  const told: unknown[] = [];
  const breaker = new Breaker({ now: () => 0, ...options });
  for (const event of EVENTS) breaker.on(event, (payload) => told.push(textOf(payload)));
  for (let i = 0; i < TIMES; i++) {
    breaker.observe({ ...signal, at: i });
    const { trip } = breaker.conversation();
    if (trip !== undefined) told.push(explain(trip), textOf(trip));
    if (signal.kind === 'tool-call' || signal.kind === 'execution') {
      breaker.admit({ ...signal, kind: signal.kind, at: i } as AdmissionRequest);
    }
    if (signal.kind === 'nested-start' || signal.kind === 'handoff')
      breaker.admit({ ...signal, at: i });
    told.push(textOf(breaker.snapshot()));
    if (i % 5 === 4) breaker.reset();
  }
  for (const { name } of SIGNAL_FIELDS.get(signal.kind) ?? []) {
    for (const wrong of [spell(name), [spell(name)], { [name]: 1 }, Symbol(spell(name))]) {
      try {
        breaker.observe({ ...signal, [name]: wrong } as unknown as Signal);
      } catch (error) {
        told.push(textOf(error));
      }
    }
  }
  return told.join('\n');
}

function textOf(value: unknown): string {
  return JSON.stringify(value, (_, part) =>
    part instanceof Error ? { ...part, message: part.message, stack: part.stack } : part,
  );
}

/** The options under which each kind of reason comes up. */
function settings(signal: Signal): BreakerOptions[] {
  const own = signal as unknown as Readonly<Record<string, string>>;
  const stopTexts = signal.kind === 'message' ? [{ text: signal.text }] : [];
  const polled = { [own.tool ?? 'x']: { polls: { maxWaitMs: 1, minPauseMs: 0 } } };
  return [
    {},
    { reaction: 'observe', sensitivity: 'high' },
    { reaction: 'ladder', nestedCascade: { limit: 1 }, rate: { limit: 2, refusals: 2 } },
    { reaction: 'observe', stopTexts, analysis: { tools: polled }, executionStorm: { limit: 1 } },
    { reaction: 'observe', repetition: { limit: 2 }, budget: { maxUsd: 1 } },
    { reaction: 'observe', maxTurns: 1, contextWindow: { maxContextTokens: 1, headroom: 0 } },
    { reaction: 'observe', detectors: [quoting] },
  ];
}

const fieldsOf = ({ kind }: Signal): string[] =>
  (SIGNAL_FIELDS.get(kind) ?? []).map(({ name }) => name);

/** Tests that nothing tells of the secrets in signals of these kinds, though all of `shown` is told where nothing is switched off. */
export function testPlanted(kinds: readonly Signal['kind'][], shown: readonly string[]): void {
  describe.each(kinds)('what a %s says', (kind) => {
    it('[RED4] comes out nowhere where excerpts are off', () => {
      for (const signal of planted(asWord).filter((one) => one.kind === kind)) {
        for (const options of settings(signal)) {
          const output = outputOf(signal, { ...options, excerpts: false }, asWord);
          const leaked = fieldsOf(signal).filter((field) => output.includes(asWord(field)));
          expect(leaked.filter((field) => !OWN_NAMES.includes(field))).toEqual([]);
        }
      }
    });

    it('[RED5] comes out nowhere if it has the form of a secret, but as an identifier', () => {
      for (const signal of planted(asKey).filter((one) => one.kind === kind)) {
        for (const options of settings(signal)) {
          const output = outputOf(signal, options, asKey);
          const leaked = fieldsOf(signal).filter((field) => output.includes(asKey(field)));
          expect(leaked.filter((field) => !['model', 'requestId'].includes(field))).toEqual([]);
        }
      }
    });

    it('[RED5] is shown to a judge without secrets', () => {
      const asked: Question[] = [];
      for (const signal of planted(asKey).filter((one) => one.kind === kind)) {
        const judge = (question: Question): number => asked.push(question) * 0;
        const breaker = new Breaker({ now: () => 0, reaction: 'observe', judge });
        for (let i = 0; i < TIMES; i++) {
          breaker.observe({ ...signal, at: i });
          breaker.observe({ kind: 'message', at: i, agent: 'b', text: 'Again.' });
        }
      }
      expect(asked.length).toBeGreaterThan(0);
      expect(JSON.stringify(asked)).not.toContain(asKey(''));
    });
  });

  describe('what the planted secrets prove', () => {
    it('[RED4] they are told where nothing is switched off', () => {
      const output = planted(asWord)
        .filter(({ kind }) => kinds.includes(kind))
        .flatMap((signal) => settings(signal).map((options) => outputOf(signal, options, asWord)))
        .join();
      expect(shown.filter((field) => !output.includes(asWord(field)))).toEqual([]);
    });
  });
}
