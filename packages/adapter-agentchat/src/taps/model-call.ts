import { randomUUID } from 'node:crypto';
import {
  costInUsd,
  type ModelRequestSignal,
  type TokenUsage,
  type UsageSignal,
} from '@teamfuse/core';
import { NUDGE_SOURCE } from '../guard/nudges.ts';
import type { Watch } from '../guard/watch.ts';
import { tokenUsage } from '../signals/usage-signal.ts';
import { modelRequest } from './model-request.ts';
import type { ModelAnswer, ModelCallOptions, ModelMessage } from './shapes.ts';
import { signalError } from './signal-error.ts';

/** What a call has taken. */
type Taken = Pick<UsageSignal, 'inputTokens' | 'outputTokens' | 'costUsd' | 'isEstimate' | 'error'>;

/** Whose model a client is. */
export interface ModelOwner {
  readonly name: string;
  /** Whether the model only decides who does what, so that its calls belong to the turn they lead to. */
  readonly isManager: boolean;
}

/** One call of a model, from asking for leave to what it took. */
export class ModelCall {
  readonly #watch: Watch;
  readonly #model: string;
  readonly #owner: ModelOwner;
  readonly #requestId: string;
  #messages: readonly ModelMessage[] = [];
  #inputTokens = 0;
  #isSettled = false;

  constructor(watch: Watch, model: string, owner: ModelOwner) {
    this.#watch = watch;
    this.#model = model;
    this.#owner = owner;
    this.#requestId = randomUUID();
  }

  /** What the model is to read: what it was given, and what the team has to be told. */
  get messages(): readonly ModelMessage[] {
    return this.#messages;
  }

  /** @throws TrippedError when the call is refused. */
  async ask(given: readonly ModelMessage[], options: ModelCallOptions): Promise<void> {
    const watch = this.#watch;
    const { isManager, name } = this.#owner;
    const nudge = isManager ? undefined : watch.takeNudge();
    const told: ModelMessage = { type: 'UserMessage', content: nudge, source: NUDGE_SOURCE };
    this.#messages = nudge === undefined ? given : [...given, told];
    const call = { model: this.#model, requestId: this.#requestId };
    const bare = { kind: 'model-request', ...watch.originOf(name), ...call } as const;
    const request: ModelRequestSignal =
      watch.observer.attempt(() =>
        modelRequest(bare, { messages: this.#messages, options }, watch.options),
      ) ?? bare;
    this.#inputTokens = request.inputTokens ?? 0;
    await (isManager ? watch.gatekeeper.askForManager(request) : watch.gatekeeper.ask(request));
  }

  /** The model has answered. A provider that reports 0/0 has reported nothing: what that cost is not known. */
  answered({ usage, cached = false }: ModelAnswer): void {
    this.#settle(() => {
      const tokens = tokenUsage(usage);
      const isReported = tokens.inputTokens + tokens.outputTokens > 0;
      return taken(tokens, cached ? 0 : isReported ? this.#costOf(tokens) : null);
    });
  }

  /** The call has ended in an error; what it took is not known. */
  failed(error: unknown): void {
    this.#settle(() => ({ ...taken(NO_TOKENS, null), error: signalError(error) }));
  }

  /** The answer broke off, or nobody waited for the rest: the prompt at least was read. */
  left(): void {
    this.#settle(() => {
      const tokens = { ...NO_TOKENS, inputTokens: this.#inputTokens };
      const cost = this.#inputTokens > 0 ? this.#costOf(tokens) : null;
      return { ...taken(tokens, cost), isEstimate: true };
    });
  }

  #costOf(tokens: TokenUsage): number | null {
    return costInUsd(this.#watch.options.prices, this.#model, tokens);
  }

  #settle(take: () => Taken): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    const { observer } = this.#watch;
    const call = { model: this.#model, requestId: this.#requestId };
    const origin = this.#watch.originOf(this.#owner.name);
    observer.attempt(() => observer.signal({ kind: 'usage', ...origin, ...call, ...take() }));
  }
}

const NO_TOKENS: TokenUsage = { inputTokens: 0, outputTokens: 0 };

function taken({ inputTokens, outputTokens }: TokenUsage, costUsd: number | null): Taken {
  return { inputTokens, outputTokens, costUsd };
}
