import type { ExecutionSignal } from '@teamfuse/core/kit';
import type { Origin } from './origin.ts';

const TIMED_OUT = 124;
const CANCELLED = 125;

/** A piece of code. */
export interface CodeBlock {
  readonly code: string;
  readonly language: string;
}

/** Code blocks that run together, as one piece. */
export function joinBlocks(blocks: readonly CodeBlock[]): CodeBlock {
  return {
    code: blocks.map(({ code }) => code.trimEnd()).join('\n'),
    language: blocks[0]?.language.toLowerCase() ?? '',
  };
}

/**
 * The signal of an execution; `undefined` for a cancelled one, which says nothing about the code.
 *
 * Executors report a signal that ended the process as a negative exit code.
 */
export function executionSignal(
  origin: Origin,
  { code, language }: CodeBlock,
  { exitCode, output }: { readonly exitCode: number; readonly output: string },
): ExecutionSignal | undefined {
  if (exitCode === CANCELLED && output.trimEnd().endsWith('Cancelled')) return undefined;
  return {
    kind: 'execution',
    ...origin,
    language,
    code,
    exitCode: exitCode < 0 ? null : exitCode,
    output,
    ...(exitCode === TIMED_OUT && { timedOut: true }),
  };
}
