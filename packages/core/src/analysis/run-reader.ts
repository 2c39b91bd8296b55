import type { ExecutionSignal } from '../signal/signal.ts';
import { readOutcome } from './failures/failure.ts';
import { hashText, mixHash } from './hash.ts';
import type { Memory } from './memory.ts';
import type { Reading } from './step.ts';
import {
  ITEM_DONE,
  idlenessOfRepeat,
  isAcknowledgement,
  MIN_RICH_CONTENT,
} from './text/idleness.ts';

/** Code with a new name or number in it that printed nothing new. */
const NEW_CODE = 0.25;
/** Known words in another order that printed nothing new. */
const REWORDED_CODE = 0.5;
const WORDS_FOR_REWORDED = 16;

/** Reads an execution: by its code and, above all, by what it printed. @internal */
export function readRun(signal: ExecutionSignal, memory: Memory): Reading {
  const { reader } = memory;
  reader.read(signal.code);
  const code = memory.take();
  const command = reader.exact;
  const codeWeight = code.weight;
  const hasNewNames = code.newFigures > 0;
  const hasNewWords = code.words > 0;
  reader.clear();
  reader.read(signal.output);
  const output = memory.take();
  const key = mixHash(mixHash(hashText(signal.agent), command), reader.exact);
  const repeats = memory.see(key);
  const outcome = readOutcome(signal, command);
  const deed = { type: 'ran' as const, key, subject: signal.language, repeats };
  if (outcome.failure) {
    return { deed, idleness: memory.idlenessOfFailure(outcome.failure), ...outcome };
  }
  if (repeats > 0) {
    return { deed, idleness: idlenessOfRepeat(repeats, Number.POSITIVE_INFINITY, 0), ...outcome };
  }
  const isChange = output.content < MIN_RICH_CONTENT;
  if (output.words + output.newFigures >= 1) return { deed, idleness: 0, isChange, ...outcome };
  if (hasNewNames) return { deed, idleness: NEW_CODE, isChange, ...outcome };
  const most = hasNewWords && isAcknowledgement(output) ? ITEM_DONE : 1;
  const idleness = Math.max(REWORDED_CODE, 1 - codeWeight / WORDS_FOR_REWORDED);
  return { deed, idleness: Math.min(most, idleness), isChange, ...outcome };
}
