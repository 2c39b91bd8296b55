import type { TurnSignal } from '@teamfuse/cli';
import type { ExecutionSignal, MessageSignal, ToolCallSignal } from '@teamfuse/core/kit';
import { firstBlock } from './code-block.ts';

/** The tool that runs code. */
const TOOL = 'execute';

/**
 * Every run as a call of a tool by the agent that wrote the code, with the code as its argument, and exit code and output as its
 * result. The block goes out of the message that showed it, and the message with it if it said nothing else.
 */
export function asCalls(signals: readonly TurnSignal[]): readonly TurnSignal[] {
  if (!signals.some(({ signal }) => signal.kind === 'execution')) return signals;
  const told: (TurnSignal | undefined)[] = [];
  let shown: ShownCode | undefined;
  for (const { turn, signal } of signals) {
    if (signal.kind === 'message') {
      const block = firstBlock(signal.text);
      if (block) shown = { ...block, index: told.length, message: signal };
    }
    if (signal.kind !== 'execution') {
      told.push({ turn, signal });
      continue;
    }
    const source = shown?.code === signal.code ? shown : undefined;
    if (source) told[source.index] = withoutBlock(source, told[source.index]);
    told.push({ turn, signal: toCall(signal, source?.message.agent ?? signal.agent) });
  }
  return told.filter((one) => one !== undefined);
}

/** Code that a message shows, and where the message is told. */
interface ShownCode {
  readonly code: string;
  readonly rest: string;
  readonly index: number;
  readonly message: MessageSignal;
}

function withoutBlock(
  { message, rest }: ShownCode,
  told: TurnSignal | undefined,
): TurnSignal | undefined {
  if (told === undefined || rest === '') return undefined;
  return { turn: told.turn, signal: { ...message, text: rest } };
}

function toCall(run: ExecutionSignal, agent: string): ToolCallSignal {
  const { at, code, exitCode, output } = run;
  return {
    kind: 'tool-call',
    at,
    agent,
    tool: TOOL,
    args: { code },
    result: { exitCode, output },
  };
}
