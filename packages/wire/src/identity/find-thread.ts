import type { Item } from '../item.ts';
import type { Asker } from './asker.ts';
import type { Chain } from './chain.ts';
import type { History } from './history.ts';
import type { HistoryNodes } from './history-nodes.ts';
import { edgeOf, type HistoryNode, isOnPath, type Thread } from './thread.ts';

/**
 * The conversation that a history continues; `undefined` if there is none, or no telling which.
 *
 * It is the one that knows the longest beginning of the history and has not gone on in another way since. A history that brings
 * nothing new belongs to a conversation in which this agent has not asked yet, or was not answered.
 */
export function findThread(
  nodes: HistoryNodes,
  history: History,
  asker: Asker,
): Thread | undefined {
  const { items, chains } = history;
  const paths = new TakenPaths(nodes, history);
  let deepest: Thread | undefined;
  let isFound = false;
  for (let known = chains.length; known > 0; known--) {
    const chain = chains[known - 1] as Chain;
    const here = nodes.at(chain);
    const owners = [...here].filter(([thread, node]) => paths.isOn(known, thread, node));
    // Of several that are the same so far, the one that has not gone on.
    const idle = owners.find(
      (owner) =>
        isFree(owner, owners, asker) && !owner[1].hasNext && (!isFound || owner[1].holdsAnswer),
    );
    if (idle !== undefined) return idle[0];
    // An answer on a way that its conversation did not take: another one did.
    const left = [...here.values()].find((node) => !node.isReported && !paths.isTaken(node));
    if (left !== undefined) {
      left.isReported = true;
      return undefined;
    }
    if (isFound || owners.length === 0) continue;
    isFound = true;
    deepest = stays(owners, chain, items[known], asker);
  }
  return deepest;
}

type Owner = readonly [Thread, HistoryNode];

/**
 * Whether an agent may ask here, as it was not answered and is not somebody else who says the same first words: an opening that
 * waits for its first answer is nobody else's, nor is one that others have used, or an agent with much the same system prompt.
 */
function isFree([thread, node]: Owner, owners: readonly Owner[], asker: Asker): boolean {
  const agent = asker.in(thread);
  const { asked, holdsAnswer } = node;
  const before = asked.get(agent);
  if (before !== undefined) return before === 'failed';
  if (holdsAnswer || asked.size === 0) return true;
  if (owners.length > 1) return false;
  return [...asked].every(([other, state]) => state !== 'pending' && !asker.isLike(thread, other));
}

/** The conversation that is asked once more at a node it has been beyond. */
function stays(
  owners: readonly Owner[],
  chain: Chain,
  next: Item | undefined,
  asker: Asker,
): Thread | undefined {
  if (next === undefined) {
    const free = owners.find((owner) => isFree(owner, owners, asker));
    if (free !== undefined) return free[0];
  }
  const open = owners.filter(([thread, node]) => {
    const agent = asker.in(thread);
    if (next === undefined) return node.holdsAnswer;
    if (node.next.has(edgeOf(next, node, agent))) return false;
    return node.holdsAnswer || thread.hasVersion(next, agent, chain, false);
  });
  return open.length === 1 ? open[0]?.[0] : undefined;
}

/** Which paths conversations have taken. Each node is looked at once, however often it is asked for. */
class TakenPaths {
  readonly #nodes: HistoryNodes;
  readonly #history: History;
  /** How much of the history each conversation has been through without a gap. */
  readonly #reach = new Map<Thread, number>();
  readonly #taken = new Map<HistoryNode, boolean>();

  constructor(nodes: HistoryNodes, history: History) {
    this.#nodes = nodes;
    this.#history = history;
  }

  /**
   * Whether a conversation has been at every node of a beginning, calls and results included, and has not gone another way.
   * Ask for shorter and shorter beginnings.
   */
  isOn(known: number, thread: Thread, node: HistoryNode): boolean {
    const { items } = this.#history;
    if (this.#reachOf(thread, known) < known - 1) return false;
    const isPrompt = known === items.length && node.author === undefined;
    return this.isTaken(isPrompt ? node.parent : node) && !isOther(node, items[known - 1] as Item);
  }

  /** Whether the conversation went the way to a node, as far as it went any. */
  isTaken(node: HistoryNode | undefined): boolean {
    const path: HistoryNode[] = [];
    let here = node;
    while (here !== undefined && !this.#taken.has(here)) {
      path.push(here);
      here = here.parent;
    }
    let isTaken = here === undefined || this.#taken.get(here) === true;
    for (const one of path.reverse()) {
      isTaken &&= isOnPath(one);
      this.#taken.set(one, isTaken);
    }
    return isTaken;
  }

  #reachOf(thread: Thread, most: number): number {
    const known = this.#reach.get(thread);
    if (known !== undefined) return known;
    const { items, chains } = this.#history;
    const hasBeen = (i: number): boolean =>
      items[i]?.kind === 'text' || this.#nodes.at(chains[i] as Chain).has(thread);
    let reach = 0;
    while (reach < most && hasBeen(reach)) reach++;
    this.#reach.set(thread, reach);
    return reach;
  }
}

function isOther({ name }: HistoryNode, item: Item): boolean {
  return item.kind === 'text' && name !== undefined && (item.name ?? name) !== name;
}
