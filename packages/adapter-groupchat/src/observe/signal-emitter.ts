import type { ChatEvent } from '@teamfuse/groupchat';
import { nameOf } from '../context/agent-view.ts';
import type { ChatContext } from '../context/chat-context.ts';
import { contentText } from './message-text.ts';
import type { ModelCalls } from './model-calls.ts';
import { PassThroughFilter } from './pass-through-filter.ts';
import { codeRunSignal, humanInputSignal, toolCallSignal } from './signals.ts';
import { Speech } from './speech.ts';

type Of<K extends ChatEvent['kind']> = ChatEvent & { readonly kind: K };

/** Turns events into signals, each into one at most. */
export class SignalEmitter {
  readonly #context: ChatContext;
  readonly #calls: ModelCalls;
  readonly #passedThrough: PassThroughFilter = new PassThroughFilter();
  readonly #speech: Speech;
  /** Model calls since the last choice of a speaker, by the manager that chooses. */
  readonly #selectionCalls: WeakMap<object, number> = new WeakMap();

  constructor(context: ChatContext, calls: ModelCalls) {
    this.#context = context;
    this.#calls = calls;
    this.#speech = new Speech(context, this.#passedThrough);
  }

  /** Takes one event in. Never throws. */
  observe(event: ChatEvent): void {
    this.#context.attempt('observe', () => {
      if (event.hiddenFor === null) this.#conversed(event);
      this.#worked(event);
    });
  }

  /** The events of a conversation. Hidden agents take no part in it. */
  #conversed(event: ChatEvent): void {
    switch (event.kind) {
      case 'message':
        this.#speech.stored(event);
        break;
      case 'group-message':
        this.#speech.entered(event);
        break;
      case 'turn-end':
        this.#turnEnded(event);
        break;
      case 'chat-end': {
        const { opener } = this.#context.place.parts;
        if (opener !== undefined) this.#nestedEnded(opener, event.summary);
        break;
      }
      case 'nested-end': {
        const { reply } = event;
        const text = typeof reply === 'string' ? reply : contentText(reply?.content);
        if (text !== '') this.#passedThrough.note(event.agent, { summary: text });
        this.#nestedEnded(nameOf(event.agent), text);
        break;
      }
    }
  }

  /** The work of agents, hidden ones included. */
  #worked(event: ChatEvent): void {
    switch (event.kind) {
      case 'model-request': {
        const { hiddenFor } = event;
        if (hiddenFor) {
          this.#selectionCalls.set(hiddenFor, (this.#selectionCalls.get(hiddenFor) ?? 0) + 1);
        }
        this.#calls.started(event);
        break;
      }
      case 'model-response':
        this.#calls.ended(event);
        break;
      case 'tool-call':
        this.#toolCalled(event);
        break;
      case 'code-execution':
        this.#codeRun(event);
        break;
      case 'human-input':
        this.#typed(event);
        break;
      case 'selection':
        this.#selected(event);
        break;
    }
  }

  #turnEnded({ agent, reply }: Of<'turn-end'>): void {
    const { turn } = this.#context.place;
    if (turn?.agent !== agent) return;
    const { probe } = turn;
    if (reply === null) {
      probe?.turnEnded(turn, false);
      return;
    }
    turn.around.answered.set(agent, turn);
    if (probe?.turn === turn) probe.isAnswered = true;
  }

  #nestedEnded(agent: string, summary: unknown): void {
    const context = this.#context;
    const { depth, path } = context.scopeFor(agent);
    context.observe({
      kind: 'nested-end',
      ...context.originOf(agent),
      depth,
      path,
      chatId: path.at(-1) ?? '',
      ...(typeof summary === 'string' && summary !== '' && { text: summary }),
    });
  }

  /** A call is made by the agent that asked for it, not by the one that carries it out. */
  #toolCalled(event: Of<'tool-call'>): void {
    const context = this.#context;
    this.#passedThrough.note(event.agent, { hasCalled: true });
    if (this.#isCancelled) return;
    const origin = context.originOf(context.place.turn?.actsFor ?? nameOf(event.agent));
    context.observe(toolCallSignal(event, origin, this.#durationMs));
  }

  #codeRun(event: Of<'code-execution'>): void {
    const context = this.#context;
    this.#passedThrough.note(event.agent, { hasRun: true });
    if (this.#isCancelled) return;
    const signal = codeRunSignal(event, context.originOf(nameOf(event.agent)), this.#durationMs);
    if (signal !== undefined) context.observe(signal);
  }

  #typed(event: Of<'human-input'>): void {
    const context = this.#context;
    this.#passedThrough.note(event.agent, { typed: event.input });
    const origin = context.originOf(nameOf(event.agent));
    context.observe(humanInputSignal(event, origin, this.#durationMs));
  }

  #selected({ agent, speaker }: Of<'selection'>): void {
    const context = this.#context;
    const attempts = this.#selectionCalls.get(agent) ?? 0;
    this.#selectionCalls.delete(agent);
    if (speaker === null) return;
    const origin = context.originOf(nameOf(agent));
    context.observe({ kind: 'selection', ...origin, chosen: speaker.name, attempts });
  }

  /** Whether the wait for this work was ended: what comes of it says nothing about it. */
  get #isCancelled(): boolean {
    return this.#context.scope?.run.signal.aborted === true;
  }

  get #durationMs(): number {
    const { breaker, place } = this.#context;
    return Math.max(0, breaker.now() - place.startedAt);
  }
}
