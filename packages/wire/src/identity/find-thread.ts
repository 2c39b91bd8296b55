import type { Item } from '../item.ts';
import type { Chain } from './chain.ts';
import type { History } from './history.ts';
import type { Places } from './places.ts';
import { isTaken, type Place, type Thread, wayOf } from './thread.ts';

/**
 * The conversation that a history continues; `undefined` if there is none, or no telling which.
 *
 * It is the one that knows the longest beginning of the history and has not gone on in another way since. A history that brings
 * nothing new belongs to a conversation in which this agent has not asked yet, or was not answered.
 */
export function findThread(places: Places, history: History, agent: string): Thread | undefined {
  const { items, chains } = history;
  let deepest: Thread | undefined;
  let isFound = false;
  for (let known = chains.length; known > 0; known--) {
    const here = places.at(chains[known - 1] as Chain);
    const owners = [...here].filter(([thread]) => isOn(places, history, known, thread));
    // Of several that are the same so far, the one that has not gone on.
    const idle = owners.find(
      ([, place]) => isIdle(place, agent) && (!isFound || place.holdsAnswer),
    );
    if (idle !== undefined) return idle[0];
    // An answer on a way that its conversation did not take: another one did.
    const left = [...here.values()].find((place) => !isTaken(place) && !place.isTold);
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

/** Whether a conversation has been at every place of a beginning, calls and results included, and has not gone another way. */
function isOn(places: Places, history: History, known: number, thread: Thread): boolean {
  const { items, chains } = history;
  return items.slice(0, known).every((item, i) => {
    const place = places.at(chains[i] as Chain).get(thread);
    if (place === undefined) return item.kind === 'text';
    if (i < known - 1) return true;
    const isPrompt = known === items.length && place.author === undefined;
    return isTaken(isPrompt ? place.parent : place) && !isOther(place, item);
  });
}

function isOther({ name }: Place, item: Item): boolean {
  return item.kind === 'text' && name !== undefined && (item.name ?? name) !== name;
}
