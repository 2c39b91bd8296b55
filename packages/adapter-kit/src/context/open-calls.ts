import { BoundedMap } from '@teamfuse/core/kit';
import type { Scope } from './scope.ts';

/** A call that is never answered is not waited for. */
const MAX_CALLS = 1_000;

/** A call of a tool that an answer of a model asks for. */
export interface AskedCall {
  readonly id: string;
  readonly tool: string;
  readonly args: unknown;
}

/** A call whose tool was never asked. */
export interface UnreachedCall extends AskedCall {
  readonly agent: string;
  /** Whether it was asked for in an earlier run, so that somebody outside has decided about it. */
  readonly isFromEarlierRun: boolean;
}

interface OpenCall extends AskedCall {
  readonly agent: string;
  /** A call that is never answered is not to keep it. */
  readonly run: WeakRef<object> | undefined;
}

/**
 * The calls that answers have asked for and that no tool was asked about so far: frameworks answer some themselves, for instance
 * where there is no such tool, where the arguments do not fit, or where the call is denied.
 */
export class OpenCalls {
  readonly #calls: BoundedMap<string, OpenCall> = new BoundedMap(MAX_CALLS);

  asked(scope: Scope | undefined, agent: string, calls: readonly AskedCall[]): void {
    const run = scope && new WeakRef<object>(scope.run);
    for (const call of calls) this.#calls.set(keyOf(scope, call.id), { ...call, agent, run });
  }

  /** A tool is asked, which reports the call itself. Some frameworks do not tell which call of the tool it is. */
  reached(scope: Scope | undefined, tool: string, id: string | undefined): void {
    if (id !== undefined) this.#calls.delete(keyOf(scope, id));
    else {
      for (const [key, call] of this.#calls.entries()) {
        if (call.tool === tool && isOf(call, scope)) this.#calls.delete(key);
      }
    }
  }

  /** The call that a history may answer, if no tool was asked. */
  unreached(scope: Scope | undefined, id: string): UnreachedCall | undefined {
    const call = this.#calls.get(keyOf(scope, id));
    if (call === undefined) return undefined;
    const { run: _, ...asked } = call;
    return { ...asked, isFromEarlierRun: !isOf(call, scope) };
  }
}

/** Whether a call was asked for in this run. */
function isOf({ run }: OpenCall, scope: Scope | undefined): boolean {
  return scope === undefined ? run === undefined : run?.deref() === scope.run;
}

/** Two conversations may use the same ids. */
function keyOf(scope: Scope | undefined, id: string): string {
  return `${scope?.run.conversation.id ?? ''}\n${id}`;
}
