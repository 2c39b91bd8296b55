import type { ExecutionSignal } from '@teamfuse/core';
import type { CodeBlock } from './code-block.ts';
import type { ReportedExecution } from './execution-text.ts';
import type { Origin } from './origin.ts';

const TIMED_OUT = 124;
const CANCELLED = 125;

/**
 * The signal of an execution; `undefined` for one that was cancelled, which says nothing about the code.
 *
 * Executors report a signal that ended the process as a negative exit code.
 */
export function executionSignal(
  origin: Origin,
  { code, language }: CodeBlock,
  { exitCode, output }: ReportedExecution,
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
