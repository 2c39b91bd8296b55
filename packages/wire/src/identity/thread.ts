import { BoundedMap } from '@teamfuse/core/kit';
import type { CallItem, Item, ResultItem } from '../item.ts';
import { Agents } from './agents.ts';
import { type Chain, isSame } from './chain.ts';
import { isOwn } from './history.ts';
import { isVersion } from './version.ts';

/** How an agent's latest request at a node ended. */
export type Asked = 'pending' | 'answered' | 'failed';

/** A node in the history of one conversation. */
export interface HistoryNode {
  /** Where the history stood before; `undefined` at the beginning. */
  readonly parent: HistoryNode | undefined;
  readonly key: number;
  /** The item that leads here. */
  readonly edge: Edge;
  /** Whether the history holds an answer that came through: until then it is an opening, which others may share. */
  readonly holdsAnswer: boolean;
  /** The agent whose model wrote what leads here. */
  author: string | undefined;
  /** When it came, if it is an answer. */
  answeredAt: number | undefined;
  /** The author's name in a request. */
  name: string | undefined;
  /** Whether what leads here was told as news. */
  isReported: boolean;
  /** The agents that asked with exactly this history. */
  readonly asked: Map<string, Asked>;
  /** Whether anything follows. */
  hasNext: boolean;
  /** The keys of what follows, once a request has gone beyond it. */
  readonly next: Map<Edge, number>;
}

/** A kind of item that a history goes on with: a text for all, or calls that perhaps one agent alone sees. */
export type Edge = 'text' | 'call' | `call by ${string}`;

/** What an item counts as that follows a node. */
export function edgeOf(
  item: Item,
  { holdsAnswer }: Pick<HistoryNode, 'holdsAnswer'>,
  agent: string,
): Edge {
  if (item.kind === 'text') return 'text';
  return holdsAnswer ? `call by ${agent}` : 'call';
}

/** Whether the conversation went on to this node, as far as it went any way. */
export function isOnPath({ parent, edge, key }: HistoryNode): boolean {
  return parent === undefined || (parent.next.get(edge) ?? key) === key;
}

/** Whether it went the whole way to this node. */
export function isTaken(node: HistoryNode): boolean {
  for (let here: HistoryNode | undefined = node; here !== undefined; here = here.parent) {
    if (!isOnPath(here)) return false;
  }
  return true;
}

/** An answer to an agent. */
export interface Answer {
  readonly agent: string;
  readonly items: readonly Item[];
  /** Where the request ended. */
  readonly from: Chain;
  /** Whether its end was told as news. */
  isReported: boolean;
}

const MAX_KEPT = 256;

/** The traffic of one conversation. */
export class Thread {
  readonly id: string;
  readonly scope: string;
  /** The keys of its nodes. */
  readonly keys: number[] = [];
  /** The agents without names. */
  readonly agents: Agents = new Agents();
  /** The keys of its anchors. */
  readonly anchors: number[] = [];
  /** The ids of answers that the server keeps. */
  readonly stored: string[] = [];
  /** The latest two texts, the last one first. */
  latestTexts: readonly string[] = [];
  readonly #answers = new BoundedMap<string, Answer>(MAX_KEPT);
  readonly #calls = new BoundedMap<string, { readonly call: CallItem; readonly agent: string }>(
    MAX_KEPT,
  );
  /** How many answers each agent waits for. */
  readonly #asking = new Map<string, number>();
  readonly #names = new BoundedMap<string, string>(MAX_KEPT);

  constructor(id: string, scope: string) {
    this.id = id;
    this.scope = scope;
  }

  /** Whether an agent waits for an answer. */
  isAsking(agent: string): boolean {
    return (this.#asking.get(agent) ?? 0) > 0;
  }

  /** Notes that an agent asks. Returns what notes the end of that. */
  asks(agent: string): () => void {
    this.#asking.set(agent, (this.#asking.get(agent) ?? 0) + 1);
    return () => {
      const left = (this.#asking.get(agent) ?? 1) - 1;
      if (left > 0) this.#asking.set(agent, left);
      else this.#asking.delete(agent);
    };
  }

  /** The latest answer to an agent. */
  answerTo(agent: string): Answer | undefined {
    return this.#answers.get(agent);
  }

  answered(answer: Answer): void {
    this.#answers.set(answer.agent, answer);
  }

  /**
   * Whether an item that follows the node `from` stands for the answer that an agent got there, which its framework has rewritten:
   * parsed, cut, or with something added.
   */
  hasVersion(item: Item, agent: string, from: Chain, holdsAnswer: boolean): boolean {
    const answer = this.#answers.get(agent);
    if (answer === undefined || answer.isReported || !isSame(answer.from, from) || !isOwn(item)) {
      return false;
    }
    return holdsAnswer || isVersion(item, answer.items);
  }

  /** Notes a call until its result comes. */
  called(call: CallItem, agent: string): void {
    this.#calls.set(callKey(call), { call, agent });
  }

  /** The call that a result belongs to, which it forgets. */
  takeCall(result: ResultItem): { readonly call: CallItem; readonly agent: string } | undefined {
    const key = callKey(result);
    const found = this.#calls.get(key);
    this.#calls.delete(key);
    return found;
  }

  /** An agent's name: as given, or by its number. */
  nameOf(agent: string, given?: string | undefined): string {
    const known = this.#names.get(agent);
    const { size } = this.#names;
    const numbered = size === 0 ? 'assistant' : `assistant ${size + 1}`;
    const name = given ?? known ?? numbered;
    if (name !== known) this.#names.set(agent, name);
    return name;
  }

  /** Notes a text that was said. */
  said(text: string): void {
    const [latest] = this.latestTexts;
    this.latestTexts = latest === undefined ? [text] : [text, latest];
  }
}

/** What a call and its result have in common. */
function callKey({ id, nth }: CallItem | ResultItem): string {
  return nth === undefined ? id : `#${nth}`;
}
