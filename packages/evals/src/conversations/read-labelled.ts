import { join } from 'node:path';
import type { GoldLabel } from '../scores/score-traces.ts';
import { readGold, readTraces } from './read-files.ts';
import type { Trace } from './trace.ts';

/** A labelled recording. */
export interface LabelledTrace {
  readonly label: GoldLabel;
  readonly trace: Trace;
}

/** Reads the recordings that labels speak of; the unsure ones are left out of all scores. */
export function readLabelled(directory: string, labelsFile: string): readonly LabelledTrace[] {
  const labels = readGold(labelsFile).filter(({ loop }) => loop !== 'unsure');
  const labelled: LabelledTrace[] = [];
  for (const file of new Set(labels.map((label) => label.file))) {
    const traces = new Map(readTraces(join(directory, file)).map((trace) => [trace.id, trace]));
    for (const label of labels.filter((one) => one.file === file)) {
      const trace = traces.get(label.id);
      if (trace === undefined) throw new Error(`${file} has no recording '${label.id}'`);
      labelled.push({ label, trace });
    }
  }
  return labelled;
}
