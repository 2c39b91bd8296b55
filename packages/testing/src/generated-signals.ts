import type { Signal } from '@teamfuse/core';
import { anySignal } from './any-signal.ts';
import { SCENES, type Scene, type Stage } from './scenes.ts';
import { SeededRandom } from './seeded-random.ts';
import { wordAt, words } from './words.ts';

/** How many signals of a stretch have nothing to do with each other. */
const ODD_SIGNALS = 6;
const MAX_PAUSE_MS = 3000;
const FAILING_TOOLS = 250;

/**
 * Makes a run of `count` valid signals of all kinds: work, loops of every built-in detector, and oddities in between.
 *
 * The same seed gives the same run. The clock goes back now and then, as a corrected system clock would.
 *
 * @example
 * ```ts
 * generateSignals(1, 200).length; // => 200
 * ```
 */
export function generateSignals(seed: number, count: number): Signal[] {
  const stage = newStage(seed);
  const signals: Signal[] = [];
  while (signals.length < count) {
    const { random } = stage;
    signals.push(...(random.oneIn(3) ? oddities(stage) : random.pick(SCENES)(stage)));
  }
  return signals.slice(0, count);
}

/** The same scene over and over, `count` signals of it. */
export function generateScene(scene: Scene, count: number): Signal[] {
  const stage = newStage(count);
  const signals: Signal[] = [];
  while (signals.length < count) signals.push(...scene(stage));
  return signals.slice(0, count);
}

/** Signals by ever new agents with ever new tools, words and errors: what memory has to be bounded against. */
export function generateNovelties(count: number): Signal[] {
  const { random, after } = newStage(count);
  return Array.from({ length: count }, (_, i) => novelty(random, i, after(500)));
}

function novelty(random: SeededRandom, i: number, at: number): Signal {
  const name = wordAt(i);
  const agent = `agent ${name}`;
  const text = `${words(random, 20, 100 * (i + 1))} ${i}`;
  switch (i % 5) {
    case 0:
      return { kind: 'message', at, agent, text };
    case 1:
      return { kind: 'tool-call', at, agent, tool: name, args: { [name]: i }, result: text };
    case 2:
      return {
        kind: 'tool-call',
        at,
        agent,
        // Some tools fail again and again, each time in other words.
        tool: wordAt(i % FAILING_TOOLS),
        args: text,
        error: { message: `ToolError: ${words(random, 20, 100 * (i + 2))}` },
      };
    case 3: {
      const path = ['main', name];
      return { kind: 'nested-start', at, agent, chatId: name, depth: 1, path, trigger: name, text };
    }
    default:
      return {
        kind: 'execution',
        at,
        agent,
        language: name,
        code: text,
        exitCode: 1,
        output: `${name}Error: ${i}`,
      };
  }
}

function oddities({ random, after }: Stage): Signal[] {
  return Array.from({ length: ODD_SIGNALS }, () => {
    const at = after(random.below(MAX_PAUSE_MS));
    return anySignal(random, random.oneIn(20) ? Math.max(0, at - MAX_PAUSE_MS) : at);
  });
}

function newStage(seed: number): Stage {
  let at = 0;
  const after = (ms: number): number => {
    at += ms;
    return at;
  };
  return { random: new SeededRandom(seed), after };
}
