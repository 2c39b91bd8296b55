import { setImmediate as turn } from 'node:timers/promises';

interface Event {
  readonly at: number;
  readonly order: number;
  readonly happen: () => void;
}

/** Time that passes from event to event, in milliseconds. */
export class World {
  #at = 0;
  #order = 0;
  /** A heap: the next event first. */
  readonly #events: Event[] = [];

  readonly now = (): number => this.#at;

  /** Lets something happen after a while. */
  after(ms: number, happen: () => void): void {
    this.#push({ at: this.#at + Math.max(0, ms), order: this.#order++, happen });
  }

  /** Lets time pass until `at`, with all that happens by then and what follows from it at once. */
  async run(at: number): Promise<void> {
    for (let next = this.#events[0]; next !== undefined && next.at <= at; next = this.#events[0]) {
      this.#pop();
      this.#at = next.at;
      next.happen();
      await turn();
    }
    this.#at = at;
  }

  #push(event: Event): void {
    const heap = this.#events;
    let place = heap.push(event) - 1;
    while (place > 0) {
      const above = (place - 1) >> 1;
      if (!isBefore(event, heap[above] as Event)) break;
      heap[place] = heap[above] as Event;
      place = above;
    }
    heap[place] = event;
  }

  #pop(): void {
    const heap = this.#events;
    const last = heap.pop() as Event;
    if (heap.length === 0) return;
    let place = 0;
    for (let below = 1; below < heap.length; below = 2 * place + 1) {
      if (below + 1 < heap.length && isBefore(heap[below + 1] as Event, heap[below] as Event)) {
        below++;
      }
      if (!isBefore(heap[below] as Event, last)) break;
      heap[place] = heap[below] as Event;
      place = below;
    }
    heap[place] = last;
  }
}

function isBefore(one: Event, other: Event): boolean {
  return one.at < other.at || (one.at === other.at && one.order < other.order);
}
