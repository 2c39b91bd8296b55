import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readRecordings, turnSignals } from '@teamfuse/cli';
import type { Signal } from '@teamfuse/core';
import type { Played } from '../scores/reactions.ts';
import { readScenarios } from './read-files.ts';
import { readLabelled } from './read-labelled.ts';
import { toOptions, toSignal } from './scenario.ts';

/** Labelled recordings of a directory. */
export function playedRecordings(directory: string, labelsFile: string): readonly Played[] {
  return readLabelled(directory, labelsFile).map(({ label, trace }) => {
    const signals = turnSignals(trace.turns);
    const evident = label.first_turn_evident ?? trace.turns.length;
    return {
      isLoop: label.loop === true,
      signals: signals.map(({ signal }) => signal),
      options: {},
      workSignals: signals.filter(({ turn }) => turn < evident).length,
    };
  });
}

/** The scripts of a directory. */
export function playedScripts(directory: string): readonly Played[] {
  return readScenarios(directory).map(({ must, events, config }) => ({
    isLoop: must === 'trip',
    signals: events.map(toSignal),
    options: toOptions(config),
  }));
}

/** The logs of a directory; a loop has a name that ends in `-loop`. */
export async function playedLogs(directory: string): Promise<readonly Played[]> {
  const played: Played[] = [];
  for (const file of readdirSync(directory)
    .filter((name) => name.endsWith('.gz'))
    .sort()) {
    const signals: Signal[] = [];
    for await (const read of readRecordings(join(directory, file), { broken: refuse })) {
      signals.push(...read.signals);
    }
    played.push({ isLoop: /-loop\./.test(file), signals, options: {} });
  }
  return played;
}

function refuse(line: unknown): never {
  throw new Error(`expected a whole recording, received ${JSON.stringify(line)}`);
}
