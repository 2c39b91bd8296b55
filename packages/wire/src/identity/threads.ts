import { BoundedMap } from '@teamfuse/core/kit';
import type { WireAnswer, WireRequest } from '../formats/format.ts';
import type { Item } from '../item.ts';
import { Anchors, beginningOf, type FoundAnchor } from './anchors.ts';
import { Asker } from './asker.ts';
import { after, beginning, type Chain, contentHash, isSame, keyOf } from './chain.ts';
import { findThread } from './find-thread.ts';
import { conversationIn, type History, historyFrom, latestOwn, ownName } from './history.ts';
import { HistoryNodes } from './history-nodes.ts';
import { type News, newsOf } from './news.ts';
import { Prompt } from './prompt.ts';
import { quotedIn } from './quoted.ts';
import { edgeOf, type HistoryNode, Thread } from './thread.ts';
import { Transcripts } from './transcripts.ts';

/** Who asks, as far as it is known. */
export interface Caller {
  /** Whose traffic it is, such as an API key's: conversations of different scopes never meet. */
  readonly scope: string;
  /** The conversation, if the caller names it. */
  readonly conversation?: string | undefined;
  /** The agent, if the caller names it. */
  readonly agent?: string | undefined;
  /** What tells the agent from others of its conversation, if the caller says it; no name. */
  readonly line?: string | undefined;
}

/** A request in its conversation. */
export interface Joined {
  readonly conversation: string;
  /** The agent's name. */
  readonly agent: string;
  readonly news: readonly News[];
  /** Notes the answer, and when it came; `undefined` if there is none. Call it once. */
  readonly ended: (answer: WireAnswer | undefined, at?: number) => void;
}

/** Bounds of memory. Beyond them, the least recently used conversations are forgotten. */
export interface ThreadLimits {
  readonly maxConversations: number;
  readonly maxNodes: number;
}

/** A history that the server keeps, up to one of its answers. */
interface Stored {
  readonly thread: Thread;
  readonly from: Chain;
  readonly items: readonly Item[];
}

/** The agent that asks beside a conversation. */
const BESIDE = 'beside';
const MAX_STORED = 10_000;
/** Answers of one conversation that may be continued. */
const MAX_OF_ONE = 256;
/** One conversation has at most this part of all nodes. */
const MAX_SHARE = 10;

/**
 * Tells which conversation a request belongs to: the one whose messages it continues, whoever asks and whatever the system
 * prompt says. In doubt it begins a new one, as a wrong join mixes two teams.
 */
export class Threads {
  readonly #limits: ThreadLimits;
  readonly #newId: () => string;
  readonly #nodes = new HistoryNodes();
  /** The least recently used first. */
  readonly #threads = new Map<string, Thread>();
  readonly #anchors = new Anchors();
  readonly #stored = new BoundedMap<string, Stored>(MAX_STORED);
  readonly #transcripts = new Transcripts();

  constructor(newId: () => string, limits: ThreadLimits) {
    this.#newId = newId;
    this.#limits = limits;
  }

  join(request: WireRequest, caller: Caller): Joined {
    const { items, answered } = this.#transcripts.read(request.items, caller.scope);
    const joined = this.#join({ ...request, items }, caller);
    return {
      ...joined,
      ended: (answer, at) => {
        joined.ended(answer, at);
        if (answer !== undefined) answered(answer.items);
      },
    };
  }

  #join(request: WireRequest, caller: Caller): Joined {
    const { scope, conversation } = caller;
    const prompt = new Prompt(request.items);
    const items = conversationIn(request.items);
    const stored = this.#stored.get(`${scope} ${request.previousId}`);
    const named = nameOf(conversation ?? request.keptAs, scope);
    const history =
      stored === undefined
        ? historyFrom(beginning(named ?? scope), items)
        : historyFrom(stored.from, [...stored.items, ...items]);
    const asker = new Asker(this.#nodes, history, prompt, caller.agent ?? caller.line);
    const entry = { asker, caller, history, keptAs: request.keptAs };
    if (stored !== undefined) return this.#enter({ thread: stored.thread, ...entry });
    if (named !== undefined) {
      const thread = this.#threads.get(named) ?? new Thread(named, scope);
      return this.#enter({ thread, ...entry });
    }
    const found = findThread(this.#nodes, history, asker);
    const isPrompt = found === undefined && items.length <= 1;
    const quoted = isPrompt && quotedIn(request.items, scope, this.#threads.values());
    if (quoted) return this.#beside(quoted, caller);
    if (found !== undefined) return this.#enter({ thread: found, ...entry });
    const cut = this.#anchors.in(items, scope, asker);
    const thread = cut?.thread ?? new Thread(this.#newId(), scope);
    return this.#enter({ thread, ...entry, cut });
  }

  /** Notes a request in its conversation, and finds out what is new. */
  #enter({ thread, asker, caller, history, keptAs, cut }: Entry): Joined {
    this.#use(thread);
    const { items, chains, start } = history;
    const own = latestOwn(items);
    const agent = asker.asks(thread, cut?.own);
    const name = thread.nameOf(agent, caller.agent ?? ownName(items));
    const anchor = cut ?? this.#anchors.in(items, caller.scope, asker, thread);
    // What stands before a known answer was told, however the history was cut.
    const answered = anchor?.index ?? -1;
    const isNew = anchor !== undefined && !anchor.node.isReported;
    const known = isNew ? beginningOf(anchor, items) : answered + 1;
    const news: News[] = this.#unused(thread, agent, chains.at(-1) ?? start);
    let node = this.#nodes.of(thread, start);
    for (const [i, item] of items.entries()) {
      node.hasNext = true;
      const chain = chains[i] as Chain;
      const edge = edgeOf(item, node, agent);
      const key = keyOf(chain);
      // Where messages were left out, a history begins anew.
      const isGap = i <= answered && ((cut && i === 0) || (node.next.get(edge) ?? key) !== key);
      const parent = isGap ? undefined : node;
      const isVersion = thread.hasVersion(item, agent, chains[i - 1] ?? start, node.holdsAnswer);
      const holdsAnswer = node.holdsAnswer || i === answered || isVersion;
      const isPast = i < own && this.#nodes.at(chain).size === 0;
      const next = this.#nodes.of(thread, chain, { parent, edge, holdsAnswer });
      if (isVersion) next.author ??= agent;
      // A prompt that a request ends with may be left again; an answer is not.
      const isKept = i < items.length - 1 || next.author !== undefined;
      if (isKept && parent !== undefined && !node.next.has(edge)) node.next.set(edge, key);
      node = next;
      if (item.kind === 'text') {
        node.name ??= item.name;
        // Others call an agent by its name whose own words have none.
        if (node.author !== undefined && node.author !== agent)
          thread.nameOf(node.author, item.name);
      }
      if (node.isReported) continue;
      node.isReported = true;
      if (item.kind === 'call') thread.called(item, node.author ?? agent);
      else if (i >= known) {
        // An answer was given when it came, and not when it is sent again.
        const at = (i <= answered ? anchor : undefined)?.node.answeredAt ?? node.answeredAt;
        news.push({ ...newsOf(thread, item, node.author, agent), isPast, at });
      }
    }
    if (anchor !== undefined) anchor.node.isReported = true;
    node.asked.set(agent, 'pending');
    const left = thread.asks(agent);
    const ended = (answer: WireAnswer | undefined, at?: number): void => {
      left();
      node.asked.set(agent, answer === undefined ? 'failed' : 'answered');
      if (answer !== undefined)
        this.#answered({ thread, agent, caller, history, keptAs, at }, node, answer);
    };
    return { conversation: thread.id, agent: name, news, ended };
  }

  /** A request that quotes a conversation instead of continuing it, as a selector's may: its answer is no part of it. */
  #beside(thread: Thread, caller: Caller): Joined {
    this.#use(thread);
    // Its prompt is another one each time.
    const name = thread.nameOf(caller.agent ?? BESIDE, caller.agent);
    return { conversation: thread.id, agent: name, news: [], ended: () => {} };
  }

  /** The answer to the same request before: where an agent asks the same again, it led to nothing, and stands in no history. */
  #unused(thread: Thread, agent: string, end: Chain): News[] {
    const last = thread.answerTo(agent);
    if (last === undefined || last.isReported || !isSame(last.from, end)) return [];
    last.isReported = true;
    return last.items.flatMap((item) =>
      item.kind === 'text' ? [newsOf(thread, item, agent, agent)] : [],
    );
  }

  #answered(entry: Answered, end: HistoryNode, answer: WireAnswer): void {
    const { thread, agent, caller, history, keptAs } = entry;
    const { items, others = [], id } = answer;
    const from = history.chains.at(-1) ?? history.start;
    const last = history.items.at(-1);
    const before = last && contentHash(last);
    // An echo is as little a sign of its conversation as the opening.
    if (items.some((item) => contentHash(item) !== before)) this.#anchors.drop(thread);
    for (const said of [items, ...others]) this.#says(entry, end, said, before);
    thread.answered({ agent, items, from, isReported: false });
    for (const kept of [id, keptAs]) {
      if (kept !== undefined) this.#store(`${caller.scope} ${kept}`, { thread, from, items });
    }
  }

  /** Notes where an answer leads. */
  #says(
    { thread, agent, caller, history, at: answeredAt }: Answered,
    end: HistoryNode,
    items: readonly Item[],
    before: number | undefined,
  ): void {
    let chain = history.chains.at(-1) ?? history.start;
    let node = end;
    const all = [...history.items, ...items];
    const hashes = items.map(contentHash);
    for (const [i, item] of items.entries()) {
      node.hasNext = true;
      chain = after(chain, item);
      const isEcho = contentHash(item) === before;
      const holdsAnswer = node.holdsAnswer || !isEcho;
      const edge = edgeOf(item, node, agent);
      node = this.#nodes.of(thread, chain, { parent: node, edge, holdsAnswer });
      node.author ??= agent;
      node.answeredAt ??= answeredAt;
      if (isEcho) continue;
      const anchor = { thread, node, agent, before, said: hashes, at: i };
      this.#anchors.add(caller.scope, all, history.items.length + i, anchor);
    }
  }

  /** Notes a history that the server keeps. */
  #store(key: string, stored: Stored): void {
    const { thread } = stored;
    if (this.#stored.get(key)?.thread !== thread) thread.stored.push(key);
    if (thread.stored.length > MAX_OF_ONE) this.#stored.delete(thread.stored.shift() as string);
    this.#stored.set(key, stored);
  }

  /** Moves a conversation to the end of those to be forgotten. */
  #use(thread: Thread): void {
    this.#threads.delete(thread.id);
    this.#threads.set(thread.id, thread);
    const { maxConversations, maxNodes } = this.#limits;
    this.#nodes.trim(thread, maxNodes / MAX_SHARE);
    for (const oldest of this.#threads.values()) {
      const isFull = this.#threads.size > maxConversations || this.#nodes.size > maxNodes;
      if (!isFull || oldest === thread) return;
      this.#threads.delete(oldest.id);
      this.#nodes.forget(oldest);
      this.#anchors.drop(oldest);
      for (const key of oldest.stored) this.#stored.delete(key);
    }
  }
}

interface Entry {
  readonly thread: Thread;
  readonly asker: Asker;
  readonly caller: Caller;
  readonly history: History;
  /** The conversation that the server keeps. */
  readonly keptAs: string | undefined;
  /** The answer by which a history is known that does not begin where that of the conversation did. */
  readonly cut?: FoundAnchor | undefined;
}

interface Answered extends Omit<Entry, 'asker' | 'cut'> {
  readonly agent: string;
  readonly at: number | undefined;
}

/** What a conversation is called that its caller names. No name leads into another scope. */
function nameOf(name: string | undefined, scope: string): string | undefined {
  if (name === undefined || scope === '') return name;
  return scope + name.replaceAll('%', '%25').replaceAll('/', '%2F');
}
