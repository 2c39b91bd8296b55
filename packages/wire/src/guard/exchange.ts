import { readUsage, type Trip } from '@teamfuse/core';
import { estimateTokens } from '@teamfuse/core/detectors';
import type { ModelCall } from '@teamfuse/core/kit';
import type { Piece, WireAnswer, WireRequest } from '../formats/format.ts';
import type { Joined } from '../identity/threads.ts';
import type { Item } from '../item.ts';

/** What an {@link Exchange} consists of. */
export interface ExchangeParts {
  readonly call: ModelCall;
  readonly joined: Joined;
  /** Is told the tokens of an answer that is whole, its prompt included. */
  readonly onAnswer: (tokens: number, answer: WireAnswer) => void;
  /** Why the conversation is stopped. */
  readonly tripOf: () => Trip | undefined;
  /** What the guard tells the model with the call. */
  readonly notice?: string | undefined;
  /** Whether the model is asked without the laps that it was told of. */
  readonly isCut: boolean;
  /** Most tokens of the answer, if it is the last one after a stop. */
  readonly lastTokens?: number | undefined;
}

/** An admitted call with its request, until its answer is whole, breaks off or fails. */
export class Exchange {
  readonly #parts: ExchangeParts;

  constructor(parts: ExchangeParts) {
    this.#parts = parts;
  }

  /** What the guard tells the model with the call, if anything. */
  get notice(): string | undefined {
    return this.#parts.notice;
  }

  /** Whether the model is asked without the laps that it was told of. */
  get isCut(): boolean {
    return this.#parts.isCut;
  }

  /** Most tokens of the answer, if it is the last one after a stop. */
  get lastTokens(): number | undefined {
    return this.#parts.lastTokens;
  }

  /** The model answered, as far as it came. `error` came with it, or in its place. */
  answered(answer: WireAnswer, error?: Error): void {
    const { call, onAnswer } = this.#parts;
    const usage = readUsage(answer.usage);
    if (error !== undefined && usage === undefined && tokensOf(answer.items) === 0) {
      this.failed(error);
      return;
    }
    this.#end(answer.isComplete ? answer : undefined, () => {
      // A usage that came before the end of the answer says too little.
      if (usage === undefined || !answer.isComplete) {
        const { items, others = [] } = answer;
        call.brokeOff({ usage, outputTokens: tokensOf([...items, ...others.flat()]) });
        return;
      }
      onAnswer(usage.inputTokens + usage.outputTokens, answer);
      call.took(usage);
    });
  }

  /** A piece of the answer has come. Returns why it is cut off here, if it is. */
  streamed({ text, part }: Piece, usage: () => unknown): Trip | undefined {
    const { call, tripOf } = this.#parts;
    call.streamed(text, part, () => ({ usage: readUsage(usage()) }));
    return call.isCut ? tripOf() : undefined;
  }

  /** The answer broke off before anything of it could be read. */
  brokeOff(): void {
    this.#end(undefined, () => this.#parts.call.brokeOff());
  }

  /** The caller left before there was an answer. */
  abandoned(): void {
    this.#end(undefined, () => this.#parts.call.abandoned());
  }

  /** The model was not reached, or said that it cannot answer. */
  failed(error: unknown): void {
    this.#end(undefined, () => this.#parts.call.failed(error));
  }

  #end(answer: WireAnswer | undefined, report: () => void): void {
    const { call, joined } = this.#parts;
    if (call.isOver) return;
    report();
    joined.ended(answer);
  }
}

/** The estimated length of a prompt. */
export function promptTokens({ items }: WireRequest): number {
  return tokensOf(items);
}

function tokensOf(items: readonly Item[]): number {
  return items.reduce((sum, item) => sum + estimateTokens(textIn(item)), 0);
}

function textIn(item: Item): string {
  if (item.kind !== 'call') return item.text;
  return `${item.tool} ${typeof item.args === 'string' ? item.args : JSON.stringify(item.args)}`;
}
