import { BoundedMap } from '@teamfuse/core/kit';
import type { CallItem, Item } from '../item.ts';
import type { Chain } from './chain.ts';

/** How an agent's latest request at a place ended. */
export type Asked = 'pending' | 'answered' | 'failed';

/** A place in the history of one conversation. */
export interface Place {
  /** Where the history stood before; `undefined` at the beginning. */
  readonly parent: Place | undefined;
  readonly key: number;
  /** The item that leads here. */
  readonly way: Way;
  /** Whether the history holds an answer that came through: until then it is an opening, which others may share. */
  readonly holdsAnswer: boolean;
  /** The agent whose model wrote what leads here. */
  author: string | undefined;
  /** The author's name in a request. */
  name: string | undefined;
  /** Whether what leads here was told as news. */
  isTold: boolean;
  /** The agents that asked with exactly this history. */
  readonly asked: Map<string, Asked>;
  /** Whether anything follows. */
  hasNext: boolean;
  /** The keys of what follows, once a request has gone beyond it. */
  readonly next: Map<Way, number>;
}

/** A kind of item that a history goes on with: a text for all, or calls that perhaps one agent alone sees. */
export type Way = 'text' | 'call' | `call by ${string}`;

/** What an item counts as that follows a place. */
export function wayOf(item: Item, { holdsAnswer }: Pick<Place, 'holdsAnswer'>, agent: string): Way {
  if (item.kind === 'text') return 'text';
  return holdsAnswer ? `call by ${agent}` : 'call';
}

/** Whether the conversation went on to this place, as far as it went any way. */
export function leadsOn({ parent, way, key }: Place): boolean {
  return parent === undefined || (parent.next.get(way) ?? key) === key;
}

/** Whether it went the whole way to this place. */
export function isTaken(place: Place): boolean {
  for (let here: Place | undefined = place; here !== undefined; here = here.parent) {
    if (!leadsOn(here)) return false;
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
  isTold: boolean;
}

const MAX_KEPT = 256;

/** The traffic of one conversation. */
export class Thread {
  readonly id: string;
  readonly scope: string;
  /** The keys of its places. */
  readonly keys: number[] = [];
  /** What {@link Thread.answers} say, as hashes. */
  anchors: readonly number[] = [];
  /** The ids of answers that the server keeps. */
  readonly stored: string[] = [];
  /** The latest two texts, the last one first. */
  latestTexts: readonly string[] = [];
  readonly #answers = new BoundedMap<string, Answer>(MAX_KEPT);
  readonly #calls = new BoundedMap<string, { readonly call: CallItem; readonly agent: string }>(
    MAX_KEPT,
  );
  readonly #names = new BoundedMap<string, string>(MAX_KEPT);

  constructor(id: string, scope: string) {
    this.id = id;
    this.scope = scope;
  }

  /** The latest answer to an agent. */
  answerTo(agent: string): Answer | undefined {
    return this.#answers.get(agent);
  }

  answered(answer: Answer): void {
    this.#answers.set(answer.agent, answer);
  }

  /** Notes a call until its result comes. */
  called(call: CallItem, agent: string): void {
    this.#calls.set(call.id, { call, agent });
  }

  /** The call with this id, which it forgets. */
  takeCall(id: string): { readonly call: CallItem; readonly agent: string } | undefined {
    const found = this.#calls.get(id);
    this.#calls.delete(id);
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
