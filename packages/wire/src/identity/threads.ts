import { BoundedMap } from '@teamfuse/core/kit';
import type { WireAnswer, WireRequest } from '../formats/format.ts';
import type { CallItem, Item, ResultItem, TextItem } from '../item.ts';
import { after, anchorOf, beginning, type Chain, contentHash, keyOf } from './chain.ts';
import { findThread } from './find-thread.ts';
import { agentIn, conversationIn, type History, historyFrom, ownName } from './history.ts';
import { Places } from './places.ts';
import { isTaken, type Place, Thread, wayOf } from './thread.ts';

/** Who asks, as far as it is known. */
export interface Caller {
  /** Whose traffic it is, such as an API key's: conversations of different scopes never meet. */
  readonly scope: string;
  /** The conversation, if the caller names it. */
  readonly conversation?: string | undefined;
  /** The agent, if the caller names it. */
  readonly agent?: string | undefined;
}

/** Something in a history that no earlier request of the conversation held. */
export type News =
  | { readonly item: TextItem; readonly author: string; readonly isTask: boolean }
  | { readonly item: ResultItem; readonly author: string; readonly call: CallItem | undefined };

/** A request in its conversation. */
export interface Joined {
  readonly conversation: string;
  /** The agent's name. */
  readonly agent: string;
  readonly news: readonly News[];
  /** Notes the answer; `undefined` if there is none. Call it once. */
  readonly ended: (answer: WireAnswer | undefined) => void;
}

/** Bounds of memory. Beyond them, the least recently used conversations are forgotten. */
export interface ThreadLimits {
  readonly maxConversations: number;
  readonly maxPlaces: number;
}

/** An answer by which a conversation is known again, though its history was cut or summed up. */
interface Anchor {
  readonly thread: Thread;
  readonly place: Place;
  /** Who was answered, and what the request ended with. */
  readonly agent: string;
  readonly before: number | undefined;
}

/** A history that the server keeps, up to one of its answers. */
interface Stored {
  readonly thread: Thread;
  readonly from: Chain;
  readonly items: readonly Item[];
}

const MAX_STORED = 10_000;
/** Answers of one conversation that may be continued. */
const MAX_OF_ONE = 256;
/** One conversation has at most this part of all places. */
const MAX_SHARE = 10;
/** How many conversations are searched for one that a prompt quotes. */
const MAX_SEARCHED = 100;
const MIN_QUOTE = 20;

/**
 * Tells which conversation a request belongs to: the one whose messages it continues, whoever asks and whatever the system
 * prompt says. In doubt it begins a new one, as a wrong join mixes two teams.
 */
export class Threads {
  readonly #limits: ThreadLimits;
  readonly #newId: () => string;
  readonly #places = new Places();
  /** The least recently used first. */
  readonly #threads = new Map<string, Thread>();
  /** Who gave an answer that says this; `undefined` where several did. */
  readonly #anchors = new BoundedMap<number, Anchor | undefined>(MAX_STORED);
  readonly #stored = new BoundedMap<string, Stored>(MAX_STORED);

  constructor(newId: () => string, limits: ThreadLimits) {
    this.#newId = newId;
    this.#limits = limits;
  }

  join(request: WireRequest, caller: Caller): Joined {
    const { scope, conversation } = caller;
    const agent = caller.agent ?? agentIn(request.items);
    const items = conversationIn(request.items);
    const stored = this.#stored.get(`${scope} ${request.previousId}`);
    if (stored !== undefined) {
      const history = historyFrom(stored.from, [...stored.items, ...items]);
      return this.#enter({ thread: stored.thread, agent, caller, history });
    }
    const named = conversation === undefined ? undefined : `${scope}${conversation}`;
    const history = historyFrom(beginning(named ?? scope), items);
    if (named !== undefined) {
      const thread = this.#threads.get(named) ?? new Thread(named, scope);
      return this.#enter({ thread, agent, caller, history });
    }
    const found = findThread(this.#places, history, agent);
    const quoted = found === undefined && items.length <= 1 && this.#quotedIn(request.items, scope);
    if (quoted) return this.#beside(quoted, agent, caller);
    if (found !== undefined) return this.#enter({ thread: found, agent, caller, history });
    const known = this.#anchorIn(history, caller, agent);
    const thread = known?.thread ?? new Thread(this.#newId(), scope);
    return this.#enter({ thread, agent, caller, history, isCut: known !== undefined });
  }

  /** Notes a request in its conversation, and finds out what is new. */
  #enter({ thread, agent, caller, history, isCut = false }: Entry): Joined {
    this.#use(thread);
    const { items, chains, start } = history;
    const name = thread.nameOf(agent, caller.agent ?? ownName(items));
    const anchor = this.#anchorIn(history, caller, agent, thread);
    // What stands before a known answer was told, however the history was cut.
    const known = anchor === undefined ? 0 : anchor.index + (anchor.place.isTold ? 1 : 0);
    const news: News[] = this.#unused(thread, agent, chains.at(-1) ?? start);
    let place = this.#places.of(thread, start);
    for (const [i, item] of items.entries()) {
      place.hasNext = true;
      const chain = chains[i] as Chain;
      const way = wayOf(item, place, agent);
      // A history that was cut begins anew.
      const parent = isCut && i === 0 ? undefined : place;
      const holdsAnswer = place.holdsAnswer || (isCut && i === anchor?.index);
      const from = { parent, way, holdsAnswer };
      const next = this.#places.of(thread, chain, from);
      // A prompt that a request ends with may be left again; an answer is not.
      const isKept = i < items.length - 1 || next.author !== undefined;
      if (isKept && parent !== undefined && !place.next.has(way)) place.next.set(way, keyOf(chain));
      place = next;
      if (item.kind === 'text') place.name ??= item.name;
      if (place.isTold) continue;
      place.isTold = true;
      if (item.kind === 'call') thread.called(item, place.author ?? agent);
      else if (i >= known) news.push(newsOf(thread, item, place.author, agent));
    }
    if (anchor !== undefined) anchor.place.isTold = true;
    place.asked.set(agent, 'pending');
    const ended = (answer: WireAnswer | undefined): void => {
      place.asked.set(agent, answer === undefined ? 'failed' : 'answered');
      if (answer !== undefined) this.#answered({ thread, agent, caller, history }, place, answer);
    };
    return { conversation: thread.id, agent: name, news, ended };
  }

  /** A request that quotes a conversation instead of continuing it, as a selector's may: its answer is no part of it. */
  #beside(thread: Thread, agent: string, caller: Caller): Joined {
    this.#use(thread);
    const name = thread.nameOf(agent, caller.agent);
    return { conversation: thread.id, agent: name, news: [], ended: () => {} };
  }

  /** The answer to the same request before: where an agent asks the same again, it led to nothing, and stands in no history. */
  #unused(thread: Thread, agent: string, end: Chain): News[] {
    const last = thread.answerTo(agent);
    if (last === undefined || last.isTold || !isSame(last.from, end)) return [];
    last.isTold = true;
    return last.items.flatMap((item) =>
      item.kind === 'text' ? [newsOf(thread, item, agent, agent)] : [],
    );
  }

  #answered({ thread, agent, caller, history }: Entry, end: Place, answer: WireAnswer): void {
    const from = history.chains.at(-1) ?? history.start;
    const { items, id } = answer;
    let chain = from;
    let place = end;
    const anchors: number[] = [];
    const last = history.items.at(-1);
    const before = last && contentHash(last);
    for (const key of thread.anchors) this.#anchors.delete(key);
    for (const item of items) {
      place.hasNext = true;
      chain = after(chain, item);
      // An echo is as little a sign of its conversation as the opening.
      const isEcho = contentHash(item) === before;
      const holdsAnswer = place.holdsAnswer || !isEcho;
      const way = wayOf(item, place, agent);
      place = this.#places.of(thread, chain, { parent: place, way, holdsAnswer });
      place.author ??= agent;
      const key = isEcho ? undefined : anchorOf(caller.scope, item);
      if (key === undefined) continue;
      anchors.push(key);
      const isKnown = this.#anchors.has(key);
      this.#anchors.set(key, isKnown ? undefined : { thread, place, agent, before });
    }
    thread.anchors = anchors;
    thread.answered({ agent, items, from, isTold: false });
    if (id === undefined) return;
    const key = `${caller.scope} ${id}`;
    thread.stored.push(key);
    if (thread.stored.length > MAX_OF_ONE) this.#stored.delete(thread.stored.shift() as string);
    this.#stored.set(key, { thread, from, items });
  }

  /** The latest item that is the latest answer of a conversation, or of the `wanted` one. */
  #anchorIn(
    { items }: History,
    { scope }: Caller,
    agent: string,
    wanted?: Thread,
  ): (Anchor & { readonly index: number }) | undefined {
    const first = Math.max(0, items.length - MAX_SEARCHED);
    for (let index = items.length - 1; index >= first; index--) {
      const key = anchorOf(scope, items[index] as Item);
      const anchor = key === undefined ? undefined : this.#anchors.get(key);
      if (anchor === undefined || (wanted ?? anchor.thread) !== anchor.thread) continue;
      if (isTaken(anchor.place) && isWhere(anchor, agent, items, index))
        return { ...anchor, index };
    }
    return undefined;
  }

  /** The one conversation whose latest texts a prompt holds. */
  #quotedIn(items: readonly Item[], scope: string): Thread | undefined {
    const prompt = items.map((item) => (item.kind === 'text' ? item.text : '')).join('\n');
    const latest = [...this.#threads.values()].slice(-MAX_SEARCHED);
    const quoted = latest.filter(
      (thread) =>
        thread.scope === scope &&
        thread.latestTexts.length > 1 &&
        thread.latestTexts.every((text) => text.length >= MIN_QUOTE && prompt.includes(text)),
    );
    return quoted.length === 1 ? quoted[0] : undefined;
  }

  /** Moves a conversation to the end of those to be forgotten. */
  #use(thread: Thread): void {
    this.#threads.delete(thread.id);
    this.#threads.set(thread.id, thread);
    const { maxConversations, maxPlaces } = this.#limits;
    this.#places.trim(thread, maxPlaces / MAX_SHARE);
    for (const oldest of this.#threads.values()) {
      const isFull = this.#threads.size > maxConversations || this.#places.size > maxPlaces;
      if (!isFull || oldest === thread) return;
      this.#threads.delete(oldest.id);
      this.#places.forget(oldest);
      for (const key of oldest.anchors) this.#anchors.delete(key);
      for (const key of oldest.stored) this.#stored.delete(key);
    }
  }
}

/** Whether an answer stands where it was given: among its agent's own words, or after what it answered. */
function isWhere(anchor: Anchor, agent: string, items: readonly Item[], index: number): boolean {
  const item = items[index] as Item;
  const isOwn = item.kind === 'text' ? item.role === 'assistant' : item.kind === 'call';
  if (isOwn && anchor.agent === agent) return true;
  const before = items[index - 1];
  return before !== undefined && contentHash(before) === anchor.before;
}

interface Entry {
  readonly thread: Thread;
  readonly agent: string;
  readonly caller: Caller;
  readonly history: History;
  /** Whether the history does not begin where that of the conversation did. */
  readonly isCut?: boolean;
}

function newsOf(
  thread: Thread,
  item: TextItem | ResultItem,
  writer: string | undefined,
  agent: string,
): News {
  if (item.kind === 'result') {
    const asked = thread.takeCall(item.id);
    const author = thread.nameOf(asked?.agent ?? agent);
    return { item, author, call: asked?.call };
  }
  const { role, name, text } = item;
  const isTask = thread.latestTexts.length === 0 && role === 'user' && writer === undefined;
  thread.said(text);
  const model = writer ?? (role === 'assistant' ? agent : undefined);
  const author = name ?? (model === undefined ? 'user' : thread.nameOf(model));
  return { item, author, isTask };
}

function isSame(a: Chain, b: Chain): boolean {
  return a.texts === b.texts && a.calls === b.calls;
}
