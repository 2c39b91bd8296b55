import { hashText } from '../common/hash.ts';
import type { ToolCallRequest } from '../signal/request.ts';
import type { ModelRequestSignal } from '../signal/signal.ts';
import type { AnyFunction } from './guard-options.ts';

/** A call that is asked for. */
export interface Call<F extends AnyFunction> {
  readonly fn: AnyFunction;
  readonly args: Parameters<F>;
  readonly work: () => unknown;
  readonly request: ToolCallRequest;
  /** It as a model call, where it takes money or tokens. */
  readonly paid: (ModelRequestSignal & { readonly requestId: string }) | undefined;
}

/** Equal for calls that ask the same. */
export function askHashOf({ tool, args }: ToolCallRequest): number {
  return hashText(JSON.stringify([tool, args]));
}

/** Whether a function answers with promises in any case. */
export function isAsyncFunction(fn: AnyFunction): boolean {
  return Object.prototype.toString.call(fn) === '[object AsyncFunction]';
}
