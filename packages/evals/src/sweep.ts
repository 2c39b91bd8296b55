import type { BreakerOptions } from '@teamfuse/core';
import { type LabelledTrace, readLabelled, runAll } from './eval-traces.ts';
import { scoreTraces, type TraceScore } from './score-traces.ts';
import { table } from './table.ts';
import { breakerPolicy } from './watcher.ts';

const IDLE_TURNS = [4, 4.5, 5, 5.5, 6, 6.5, 7];
const HORIZON_TURNS = [6, 8, 10, 12, 16];
const NEWS_WORDS = [8, 10, 12];

/** A setting with what it comes to on the half it was chosen on and on the other. */
interface Row {
  readonly name: string;
  readonly chosenOn: TraceScore;
  readonly checkedOn: TraceScore;
}

/**
 * Tries settings on one half of the labels and shows them on the other, best first.
 *
 * The halves are told apart by a hash of the recording's id, so that they are the same in every run.
 */
export function sweepTraces(directory: string, goldFile: string): void {
  const labelled = readLabelled(directory, goldFile);
  const [one, other] = halves(labelled);
  const rows: Row[] = [];
  for (const idleTurns of IDLE_TURNS) {
    for (const horizonTurns of HORIZON_TURNS) {
      for (const newsWords of NEWS_WORDS) {
        const options: BreakerOptions = {
          speakerCycle: { idleTurns },
          analysis: { horizonTurns, newsWords },
        };
        const policy = breakerPolicy('', options);
        rows.push({
          name: `idleTurns ${idleTurns}, horizonTurns ${horizonTurns}, newsWords ${newsWords}`,
          chosenOn: scoreTraces(runAll(one, policy)),
          checkedOn: scoreTraces(runAll(other, policy)),
        });
      }
    }
  }
  rows.sort((a, b) => worth(b.chosenOn) - worth(a.chosenOn));
  const cells = rows.map(({ name, chosenOn, checkedOn }) => [
    name,
    ...scoreCells(chosenOn),
    ...scoreCells(checkedOn),
  ]);
  const head = ['setting', 'hit', 'false', 'delay', 'other: hit', 'false', 'delay'];
  console.log(table([head, ...cells]));
}

/** A false trip costs as much as two loops are worth: people switch off what stops them without need. */
function worth({ hit, falseTrips, medianDelay }: TraceScore): number {
  return hit - 2 * falseTrips - (medianDelay ?? 0) / 100;
}

function scoreCells({ hit, loops, falseTrips, healthy, medianDelay }: TraceScore): string[] {
  return [`${hit}/${loops}`, `${falseTrips}/${healthy}`, String(medianDelay ?? '-')];
}

function halves(labelled: readonly LabelledTrace[]): [LabelledTrace[], LabelledTrace[]] {
  const one = labelled.filter(({ label }) => isFirstHalf(label.id));
  return [one, labelled.filter(({ label }) => !isFirstHalf(label.id))];
}

function isFirstHalf(id: string): boolean {
  let hash = 0;
  for (const character of id) hash = (Math.imul(hash, 31) + (character.codePointAt(0) ?? 0)) | 0;
  return (hash & 1) === 0;
}
