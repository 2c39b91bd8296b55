import { describe, expect, it } from 'vitest';
import { SeededRandom } from '../../../testing/src/seeded-random.ts';
import { Breaker, type Signal } from '../../src/index.ts';

const LENGTH = 120;
const WORDS = 'amber birch cobalt delta ember falcon granite harbor indigo jasper'.split(' ');
const ROUND = [
  'Please review the draft of the report and tell me what to change',
  'I have looked at the draft, please revise it and send it again',
];

type Noise = (random: SeededRandom, i: number) => string;

function hex(random: SeededRandom, length: number): string {
  return Array.from({ length }, () => random.pick([...'0123456789abcdef'])).join('');
}

/** A word that nobody has said before. */
function invented(random: SeededRandom): string {
  const syllable = () => random.pick([...'bdfgklmnprst']) + random.pick([...'aeiou']);
  return Array.from({ length: 4 }, syllable).join('');
}

function time(random: SeededRandom, i: number): string {
  return new Date(1.7e12 + i * 61_000 + random.below(9000)).toISOString();
}

function uuid(random: SeededRandom): string {
  return [8, 4, 4, 4, 12].map((length) => hex(random, length)).join('-');
}

/** Two agents who pass the same work to and fro, with something meaningless in each message. */
function talk(noise: Noise): (random: SeededRandom) => Signal[] {
  return (random) =>
    Array.from({ length: LENGTH }, (_, i) => {
      const text = `${ROUND[i % 2]} ${noise(random, i)}`;
      return { kind: 'message', at: i * 2000, agent: 'ab'.charAt(i % 2), text };
    });
}

/** One agent who makes the same call again and again. */
function calls(ask: Noise, result: Noise): (random: SeededRandom) => Signal[] {
  return (random) =>
    Array.from({ length: LENGTH }, (_, i) => {
      const call = { at: i * 2000, agent: 'a', tool: 'lookup', args: { query: ask(random, i) } };
      return { kind: 'tool-call', ...call, result: result(random, i) };
    });
}

function runs(output: Noise): (random: SeededRandom) => Signal[] {
  return (random) =>
    Array.from({ length: LENGTH }, (_, i) => {
      const run = { at: i * 2000, agent: 'a', language: 'sh', code: 'sh check.sh', exitCode: 0 };
      return { kind: 'execution', ...run, output: output(random, i) };
    });
}

const nothing: Noise = () => '';
const interrupted = (random: SeededRandom): Signal[] =>
  talk(nothing)(random).map((signal, i) =>
    i % 5 === 4 ? { kind: 'human-input', at: signal.at, agent: 'p', text: 'Go on.' } : signal,
  );

/** Loops in disguise, and whether counting alone sees through it. */
const LOOPS: readonly (readonly [string, boolean, (random: SeededRandom) => Signal[]])[] = [
  ['a point in time', true, talk(time)],
  ['a time of day', true, talk((random, i) => time(random, i).slice(11, 19))],
  ['a UUID', false, talk(uuid)],
  ['a short hash', false, talk((random) => hex(random, 8))],
  ['an emoji', true, talk((random) => String.fromCodePoint(0x1f600 + random.below(60)))],
  ['an invented word', false, talk(invented)],
  ['one word out of ten', false, talk((random) => random.pick(WORDS))],
  [
    'random decimals',
    false,
    talk((random) => `${random.below(1e4) / 1e4} ${random.below(999) / 7}`),
  ],
  ['a file name', false, talk((random) => `${invented(random)}_${hex(random, 3)}.md`)],
  ['a variable', false, talk((random) => `${invented(random)}_${invented(random)}`)],
  ['a time in a result', true, calls(nothing, (random, i) => `As of ${time(random, i)}: none`)],
  ['a UUID in a result', true, calls(nothing, (random) => `Request ${uuid(random)}: none`)],
  ['a duration in a result', true, calls(nothing, (random) => `None, in ${random.below(900)} ms`)],
  ['a new word in an argument', false, calls(invented, () => 'no results found')],
  ['a number in a result', false, calls(nothing, (random) => `nonce ${random.below(1e5)}`)],
  ['a number on stdout', false, runs((random) => `nothing found ${random.below(1e5)}`)],
  ['a person who says the same', true, interrupted],
];

const person = (random: SeededRandom): string =>
  `${invented(random)} ${invented(random)} wants ${random.below(40) + 2} of ${invented(random)}`;

/** The same forms with a meaning in them. */
const TWINS: readonly (readonly [string, (random: SeededRandom) => Signal[]])[] = [
  [
    'the prices of a share',
    calls(
      () => 'TSLA',
      (random) => `${180 + random.below(2000) / 100} dollars`,
    ),
  ],
  ['what each customer orders', calls(invented, (random) => person(random))],
  [
    'files that are read one after the other',
    runs((random) => `${person(random)}, ${person(random)}`),
  ],
  ['orders that are taken one after the other', talk((random) => `${person(random)}: noted.`)],
];

/** Where the breaker stops a run, and where it asks a judge that says no, counted from 1. */
function watch(signals: readonly Signal[]): { stoppedAt: number; askedAt: number } {
  let step = 0;
  let askedAt = Number.POSITIVE_INFINITY;
  const alone = new Breaker();
  const judged = new Breaker({
    judge: () => {
      askedAt = Math.min(askedAt, step);
      return 0;
    },
  });
  let stoppedAt = Number.POSITIVE_INFINITY;
  for (const signal of signals) {
    step++;
    alone.observe(signal);
    judged.observe(signal);
    if (alone.conversation().trip !== undefined) stoppedAt = Math.min(stoppedAt, step);
  }
  return { stoppedAt, askedAt };
}

describe('a loop in disguise', () => {
  it.each(LOOPS)(
    '[EVA1] is caught or asked about within 20 turns, with %s in each',
    (_, isCaught, loop) => {
      const { stoppedAt, askedAt } = watch(loop(new SeededRandom(7)));
      if (isCaught) expect(stoppedAt).toBeLessThanOrEqual(20);
      expect(Math.min(stoppedAt, askedAt)).toBeLessThanOrEqual(20);
    },
  );

  it.each(TWINS)('[EVA2] has a twin that is left alone: %s', (_, twin) => {
    expect(watch(twin(new SeededRandom(7))).stoppedAt).toBe(Number.POSITIVE_INFINITY);
  });
});
