import { StreamedTokens, type TokenUsage } from '../budget/metering.ts';
import { type ReportedUsage, readUsage } from '../budget/usage.ts';
import type { Permit } from '../circuit/permit.ts';
import { RETAINED_LENGTH } from '../common/excerpt.ts';
import { isNonNegative } from '../common/json.ts';
import { AnswerRepeats, type StreamedPart } from '../detection/text/answer-repeats.ts';
import type { Repeated } from '../detection/text/stream-repeats.ts';
import { estimateTokens } from '../detection/text/token-estimate.ts';
import type { ModelRequestSignal, UsageSignal } from '../signal/signal.ts';
import { signalError } from '../signal/signal-error.ts';
import type { StepHost } from './step-host.ts';

/** What a call took, as its usage reports it. */
export type CallUsage = Omit<
  UsageSignal,
  'kind' | 'at' | 'agent' | 'depth' | 'model' | 'requestId'
>;

/** What a {@link ModelCall} reports to, and how it counts and prices what it cannot read. */
export interface ModelCallParts {
  readonly host: Pick<StepHost, 'observe' | 'reportError' | 'now'>;
  readonly request: ModelRequestSignal;
  /** Is released with the end of the call. @defaultValue the caller releases it */
  readonly permit?: Permit | undefined;
  /** Whether an answer leaves a probe open: what its agent does next decides. @defaultValue false */
  readonly keepsProbe?: boolean;
  /** The estimated length of the prompt. @defaultValue that of the request, or 0 */
  readonly inputTokens?: () => number;
  /** How often the answer may repeat itself before it is cut off. @defaultValue as often as it likes */
  readonly streamLimit?: number | undefined;
  /** Counts a piece of the answer. @defaultValue by its length */
  readonly countTokens?: (text: string) => number;
  /** Prices a usage. @defaultValue the breaker does */
  readonly price?: (usage: TokenUsage) => Pick<UsageSignal, 'costUsd' | 'isEstimate'>;
  /** Whether an error says that the call was stopped or cancelled, and has not failed. @defaultValue never */
  readonly isCutOff?: (error: unknown) => boolean;
}

/** What is known of an answer apart from its tokens. */
export interface AnswerInfo {
  /** Whether it came out of a cache, so that nothing was spent. */
  readonly cached?: boolean;
  /** Whether the tokens are an estimate. */
  readonly isEstimate?: boolean;
  /** The cost, if the framework reports one. */
  readonly costUsd?: number | null;
  /** All that it says, thinks and asks for: counts if its usage cannot be read, and no more was streamed. @defaultValue nothing */
  readonly text?: string | undefined;
  /** What the call took, if neither its usage can be read nor any of its answer was streamed. */
  readonly guess?: () => CallUsage;
}

/** What has come of an answer that broke off. */
interface PartialAnswer {
  /** The usage so far, which may say too little. */
  readonly usage?: ReportedUsage | undefined;
  /** The tokens of what can be read of it. Those that were streamed count if they are more, such as thoughts. @defaultValue 0 */
  readonly outputTokens?: number;
}

const nothing = (): PartialAnswer => ({});
const NOTHING: CallUsage = { inputTokens: 0, outputTokens: 0, costUsd: null };

/** An admitted model call until its end, which is reported once: its usage settles what was reserved for it. */
export class ModelCall {
  readonly #parts: ModelCallParts;
  readonly #streamed: StreamedTokens;
  readonly #countTokens: (text: string) => number;
  #repeats: AnswerRepeats | undefined;
  #isOver = false;
  #isCut = false;

  constructor(parts: ModelCallParts) {
    this.#parts = parts;
    this.#countTokens = parts.countTokens ?? estimateTokens;
    this.#streamed = new StreamedTokens(this.#countTokens);
  }

  get request(): ModelRequestSignal {
    return this.#parts.request;
  }

  /** Whether its end was reported. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Whether it has ended because its answer had come to repeat itself. */
  get isCut(): boolean {
    return this.#isCut;
  }

  /** The estimated length of the prompt; 0 if nothing counts it. */
  get inputTokens(): number {
    return this.#parts.request.inputTokens ?? 0;
  }

  /**
   * Notes a piece of the answer, which counts if the call ends without usage. An answer that has come to repeat itself ends here: what
   * was `seen` of it is booked, and the breaker opens. `part`: what the piece belongs to, each of which repeats for itself.
   */
  streamed(text: string, part: StreamedPart = 'text', seen: () => PartialAnswer = nothing): void {
    this.#streamed.add(text);
    const { streamLimit } = this.#parts;
    if (this.#isOver || streamLimit === undefined) return;
    this.#repeats ??= new AnswerRepeats(streamLimit);
    const repeated = this.#repeats.add(text, part);
    if (repeated !== undefined) this.#cut(repeated, seen());
  }

  /**
   * Reports an answer, with its usage as OpenAI, Anthropic or the AI SDK report it. Usage that is missing, 0/0 or no whole
   * numbers counts as none: the breaker books what came of the answer then, or what it has reserved for the call if that is more.
   */
  answered(
    reported: unknown,
    { cached = false, isEstimate, costUsd, text = '', guess }: AnswerInfo = {},
  ): void {
    const usage = readUsage(reported);
    const read = (): CallUsage => {
      if (usage === undefined) {
        const isUnseen = guess !== undefined && this.#streamed.tokens === 0;
        const outputTokens = text === '' ? 0 : this.#countTokens(text);
        return isUnseen ? guess() : this.#seen({ outputTokens }, cached);
      }
      const charged = cached ? 0 : isNonNegative(costUsd) ? costUsd : usage.costUsd;
      const cost = charged === undefined ? this.#parts.price?.(usage) : { costUsd: charged };
      return { ...usage, ...cost, ...(isEstimate && { isEstimate }) };
    };
    const { keepsProbe, permit } = this.#parts;
    this.#report(read);
    if (!(keepsProbe && permit?.isProbe)) permit?.release();
  }

  /** Reports a later usage of the same answer. The breaker books what is new in it. */
  corrected(reported: object): void {
    this.#isOver = false;
    this.answered(reported);
  }

  /** Reports an answer that broke off. */
  brokeOff(answer: PartialAnswer = {}): void {
    this.#cancel(() => this.#seen(answer));
  }

  /** Reports that the caller left before there was an answer: the model may have read the prompt. */
  abandoned(): void {
    this.#cancel(() => ({ inputTokens: this.#promptTokens, outputTokens: 0, isEstimate: true }));
  }

  /** Reports an error. A call that was cut off has not failed: it is reported as one that broke off. */
  failed(error: unknown, { isGivenUp = false }: { readonly isGivenUp?: boolean } = {}): void {
    if (this.#parts.isCutOff?.(error)) {
      this.brokeOff();
      return;
    }
    const read = (): CallUsage => {
      const isCounted = isGivenUp || this.#streamed.tokens > 0;
      const usage = isCounted ? this.#seen({}) : NOTHING;
      return { ...usage, error: signalError(error), ...(isGivenUp && { isGivenUp }) };
    };
    if (isGivenUp) this.#cancel(read);
    else this.#end(read);
  }

  /** Reports that the call was not made after all, which releases what was reserved for it. */
  unmade(): void {
    const error = { message: 'the call was not made', code: 'TRIPPED' };
    this.#cancel(() => ({ inputTokens: 0, outputTokens: 0, costUsd: 0, error }));
  }

  /** Reports what a call took that is known otherwise. */
  took(usage: CallUsage): void {
    this.#end(() => usage);
  }

  #cut({ text, times }: Repeated, seen: PartialAnswer): void {
    this.#isCut = true;
    const repeated = text.slice(0, RETAINED_LENGTH);
    this.#end(() => ({ ...this.#seen(seen), repetitions: times, repeated }));
  }

  get #promptTokens(): number {
    const { request, inputTokens } = this.#parts;
    return request.inputTokens ?? inputTokens?.() ?? 0;
  }

  /** The prompt, and what has come of the answer. */
  #seen({ usage, outputTokens = 0 }: PartialAnswer, cached = false): CallUsage {
    const { price } = this.#parts;
    const seen = {
      ...usage,
      inputTokens: usage?.inputTokens ?? this.#promptTokens,
      outputTokens: Math.max(usage?.outputTokens ?? 0, outputTokens, this.#streamed.tokens),
    };
    const isAnything = seen.inputTokens + seen.outputTokens > 0;
    const costUsd = isAnything ? price?.(seen).costUsd : null;
    const cost = cached ? { costUsd: 0 } : costUsd !== undefined && { costUsd };
    return { ...seen, ...cost, isEstimate: true, ...(!cached && { isPartial: true }) };
  }

  #end(read: () => CallUsage): void {
    this.#report(read);
    this.#parts.permit?.release();
  }

  /** Ends it before it was answered. */
  #cancel(read: () => CallUsage): void {
    const { permit } = this.#parts;
    const wasOver = this.#isOver;
    this.#report(read);
    if (wasOver) permit?.release();
    else permit?.cancel();
  }

  #report(read: () => CallUsage): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const { host, request } = this.#parts;
    const { agent, depth, model, requestId } = request;
    const call = {
      agent,
      model,
      ...(depth !== undefined && { depth }),
      ...(requestId !== undefined && { requestId }),
    };
    try {
      host.observe({ kind: 'usage', at: host.now(), ...call, ...read() });
    } catch (error) {
      host.reportError(error);
    }
  }
}
