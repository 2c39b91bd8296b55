import type { Item } from '../item.ts';
import type { Chain } from './chain.ts';
import type { History } from './history.ts';
import type { Places } from './places.ts';
import { leadsOn, type Place, type Thread, wayOf } from './thread.ts';

/**
 * The conversation that a history continues; `undefined` if there is none, or no telling which.
 *
 * It is the one that knows the longest beginning of the history and has not gone on in another way since. A history that brings
 * nothing new belongs to a conversation in which this agent has not asked yet, or was not answered.
 */
export function findThread(places: Places, history: History, agent: string): Thread | undefined {
  const { items, chains } = history;
  const ways = new Ways(places, history);
  let deepest: Thread | undefined;
  let isFound = false;
  for (let known = chains.length; known > 0; known--) {
    const here = places.at(chains[known - 1] as Chain);
    const owners = [...here].filter(([thread, place]) => ways.isOn(known, thread, place));
    // Of several that are the same so far, the one that has not gone on.
    const idle = owners.find(
      ([, place]) => isIdle(place, agent) && (!isFound || place.holdsAnswer),
    );
    if (idle !== undefined) return idle[0];
    // An answer on a way that its conversation did not take: another one did.
    const left = [...here.values()].find((place) => !place.isTold && !ways.isTaken(place));
    if (left !== undefined) {
      left.isTold = true;
      return undefined;
    }
    if (isFound || owners.length === 0) continue;
    isFound = true;
    deepest = stays(owners, items[known], agent);
  }
  return deepest;
}

type Owner = readonly [Thread, Place];

/** Whether nothing follows here, nor was this agent answered. */
function isIdle({ hasNext, asked }: Place, agent: string): boolean {
  const before = asked.get(agent);
  return !hasNext && (before === undefined || before === 'failed');
}

/** The conversation that is asked once more at a place it has been beyond. */
function stays(
  owners: readonly Owner[],
  next: Item | undefined,
  agent: string,
): Thread | undefined {
  if (next === undefined) {
    const free = owners.find(([, { asked }]) => (asked.get(agent) ?? 'failed') === 'failed');
    if (free !== undefined) return free[0];
  }
  const open = owners.filter(
    ([, place]) =>
      place.holdsAnswer && (next === undefined || !place.next.has(wayOf(next, place, agent))),
  );
  return open.length === 1 ? open[0]?.[0] : undefined;
}

/** Which ways conversations have gone. Each place is looked at once, however often it is asked for. */
class Ways {
  readonly #places: Places;
  readonly #history: History;
  /** How much of the history each conversation has been through without a gap. */
  readonly #reach = new Map<Thread, number>();
  readonly #taken = new Map<Place, boolean>();

  constructor(places: Places, history: History) {
    this.#places = places;
    this.#history = history;
  }

  /**
   * Whether a conversation has been at every place of a beginning, calls and results included, and has not gone another way.
   * Ask for shorter and shorter beginnings.
   */
  isOn(known: number, thread: Thread, place: Place): boolean {
    const { items } = this.#history;
    if (this.#reachOf(thread, known) < known - 1) return false;
    const isPrompt = known === items.length && place.author === undefined;
    return (
      this.isTaken(isPrompt ? place.parent : place) && !isOther(place, items[known - 1] as Item)
    );
  }

  /** Whether the conversation went the way to a place, as far as it went any. */
  isTaken(place: Place | undefined): boolean {
    const way: Place[] = [];
    let here = place;
    while (here !== undefined && !this.#taken.has(here)) {
      way.push(here);
      here = here.parent;
    }
    let isTaken = here === undefined || this.#taken.get(here) === true;
    for (const one of way.reverse()) {
      isTaken &&= leadsOn(one);
      this.#taken.set(one, isTaken);
    }
    return isTaken;
  }

  #reachOf(thread: Thread, most: number): number {
    const known = this.#reach.get(thread);
    if (known !== undefined) return known;
    const { items, chains } = this.#history;
    const hasBeen = (i: number): boolean =>
      items[i]?.kind === 'text' || this.#places.at(chains[i] as Chain).has(thread);
    let reach = 0;
    while (reach < most && hasBeen(reach)) reach++;
    this.#reach.set(thread, reach);
    return reach;
  }
}

function isOther({ name }: Place, item: Item): boolean {
  return item.kind === 'text' && name !== undefined && (item.name ?? name) !== name;
}
