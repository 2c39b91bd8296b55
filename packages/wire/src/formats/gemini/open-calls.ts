import type { CallItem } from '../../item.ts';

/** Calls in their order, of which some were taken already. */
class Queue {
  readonly #calls: CallItem[] = [];
  #next = 0;

  add(call: CallItem): void {
    this.#calls.push(call);
  }

  /** The first one that is open. Each is looked at once. */
  first(open: ReadonlySet<CallItem>): CallItem | undefined {
    for (; this.#next < this.#calls.length; this.#next++) {
      const call = this.#calls[this.#next] as CallItem;
      if (open.has(call)) return call;
    }
    return undefined;
  }
}

/** The calls of an answer that wait for their results. */
export class OpenCalls {
  readonly #open = new Set<CallItem>();
  readonly #byId = new Map<string, CallItem>();
  readonly #byTool = new Map<string, Queue>();
  /** Those without an id. */
  readonly #unnamed = new Map<string, Queue>();

  add(call: CallItem): void {
    this.#open.add(call);
    if (call.id === '') queueIn(this.#unnamed, call.tool).add(call);
    else this.#byId.set(call.id, call);
    queueIn(this.#byTool, call.tool).add(call);
  }

  /** The call that a result belongs to: by its id, else the first one of its name, rather one without an id if it has one. */
  take(id: string, tool: string): CallItem | undefined {
    const known = this.#byId.get(id);
    const found =
      known !== undefined && this.#open.has(known)
        ? known
        : ((id === '' ? undefined : this.#unnamed.get(tool)?.first(this.#open)) ??
          this.#byTool.get(tool)?.first(this.#open));
    if (found !== undefined) this.#open.delete(found);
    return found;
  }
}

function queueIn(queues: Map<string, Queue>, tool: string): Queue {
  const known = queues.get(tool) ?? new Queue();
  queues.set(tool, known);
  return known;
}
