import type { TurnSignal } from '@teamfuse/cli';
import type { ExecutionSignal, MessageSignal, ToolCallSignal } from '@teamfuse/core/kit';
import { answerOf, writtenCall } from './written-call.ts';

/** Who gives the answers of tools. */
const ENVIRONMENT = 'environment';

/**
 * Everything as plain messages. A call stands as a block in the message that it came with, or in one of its own, and what it
 * gave is a message of the environment. A run is the message of whoever ran it: what it printed, without the exit code, which
 * a shell does not print. Its code stands in the message that showed it.
 */
export function asMessages(signals: readonly TurnSignal[]): readonly TurnSignal[] {
  const isPlain = ({ signal }: TurnSignal): boolean =>
    signal.kind !== 'tool-call' && signal.kind !== 'execution';
  if (signals.every(isPlain)) return signals;
  const told: TurnSignal[] = [];
  for (const one of signals) {
    const { turn, signal } = one;
    if (signal.kind === 'execution') {
      told.push({ turn, signal: answer(signal, signal.agent, signal.output) });
    } else if (signal.kind === 'tool-call') {
      tellCall(turn, signal, told);
      told.push({ turn, signal: answer(signal, ENVIRONMENT, answerOf(signal)) });
    } else {
      told.push(one);
    }
  }
  return told;
}

/** Writes a call into what its agent said in the turn before, or into a message of its own. */
function tellCall(turn: number, call: ToolCallSignal, told: TurnSignal[]): void {
  const last = told.at(-1);
  const block = writtenCall(call);
  const isSaid = last?.signal.kind === 'message' && last.signal.agent === call.agent;
  if (isSaid && last.turn === turn - 1) {
    const text = `${last.signal.text}\n\n${block}`;
    told[told.length - 1] = { turn: last.turn, signal: { ...last.signal, text } };
  } else {
    told.push({ turn, signal: answer(call, call.agent, block) });
  }
}

function answer(
  { at }: ToolCallSignal | ExecutionSignal,
  agent: string,
  text: string,
): MessageSignal {
  return { kind: 'message', at, agent, text };
}
