import type { JsonValue, ToolCallSignal } from '@teamfuse/core';

/** How a call ended, as it is reported. */
export type CallEnd = Pick<ToolCallSignal, 'result' | 'error'>;

/** So many calls alike in a row tell how the next one would end. */
const KNOWN = 2;

/** The latest calls of a function, as far as they are the same call with the same end. */
export class Alike {
  #call = '';
  #end: CallEnd = {};
  #times = 0;

  /** How a call would end if it ended like those before; `undefined` unless there were two, with nothing else between. */
  expectedEnd(args: JsonValue): CallEnd | undefined {
    return this.#times >= KNOWN && this.#call === JSON.stringify(args) ? this.#end : undefined;
  }

  /** Takes a call in that has ended. */
  add(args: JsonValue, end: CallEnd): void {
    const call = JSON.stringify(args);
    this.#times = call === this.#call && isSame(end, this.#end) ? this.#times + 1 : 1;
    this.#call = call;
    this.#end = end;
  }
}

/** Whether two ends are reported in the same words. */
export function isSame(one: CallEnd, other: CallEnd): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
