import type { GuardContext } from '../context/guard-context.ts';
import { passOn } from '../context/passed-stream.ts';
import type { Scope } from '../context/scope.ts';
import { call, stream } from './step.ts';
import { type ToolInfo, toolCall } from './tool-call.ts';

/** One call of a tool's function. */
export interface ToolExecution<L> extends ToolInfo<unknown> {
  /** The place of the call. @defaultValue the current one */
  readonly scope?: Scope<L> | undefined;
  /** Calls the function; `signal` aborts when the caller's signal does, or the run is stopped. */
  readonly work: (signal: AbortSignal | undefined) => unknown;
}

/**
 * The function of a tool, refused before its effect and reported with what came of it. A generator's outputs are handed on as they
 * come; its outcome is the last one.
 */
export function guardExecute<A extends readonly unknown[], L>(
  context: GuardContext<L>,
  execute: (...args: A) => unknown,
  executionOf: (...args: A) => ToolExecution<L>,
): (...args: A) => unknown {
  // A generator has to give its stream at once.
  const isGenerator = execute.constructor.name === 'AsyncGeneratorFunction';
  return (...args) => {
    const { scope, work, ...info } = executionOf(...args);
    const step = toolCall<unknown, L, unknown>(info);
    if (!isGenerator) {
      const end = scope?.run.beginStep?.();
      const last = async (signal?: AbortSignal): Promise<unknown> => lastOf(await work(signal));
      return context.within(scope, () => call(context, step, last)).finally(end);
    }
    return passOn(context, () => {
      const end = scope?.run.beginStep?.();
      const open = (signal?: AbortSignal) => outputs(work(signal));
      return {
        scope,
        open: () => stream(context, step, open, { refusedItem: (given) => given }),
        onEnd: () => {
          end?.();
          return undefined;
        },
      };
    });
  };
}

/** Hands outputs on, and returns the last one. */
async function* outputs(given: unknown): AsyncGenerator<unknown, unknown> {
  let last: unknown;
  for await (const output of given as AsyncIterable<unknown>) {
    last = output;
    yield output;
  }
  return last;
}

async function lastOf(given: unknown): Promise<unknown> {
  if (typeof given !== 'object' || given === null || !(Symbol.asyncIterator in given)) return given;
  let last: unknown;
  for await (const output of given as AsyncIterable<unknown>) last = output;
  return last;
}
