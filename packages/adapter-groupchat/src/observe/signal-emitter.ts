import type { ChatEvent } from '@teamfuse/groupchat';
import { nameOf } from '../context/agent-view.ts';
import type { ChatContext } from '../context/chat-context.ts';
import { summaryOf } from './message-text.ts';
import type { ModelCalls } from './model-calls.ts';
import type { PassThroughFilter } from './pass-through-filter.ts';
import { humanInputSignal } from './signals.ts';
import { Speech } from './speech.ts';

type Of<K extends ChatEvent['kind']> = ChatEvent & { readonly kind: K };

/** Turns events into signals, each into one at most. */
export class SignalEmitter {
  readonly #context: ChatContext;
  readonly #calls: ModelCalls;
  readonly #passedThrough: PassThroughFilter;
  readonly #speech: Speech;
  /** Model calls since the last choice of a speaker, by the manager that chooses. */
  readonly #selectionCalls: WeakMap<object, number> = new WeakMap();

  constructor(context: ChatContext, calls: ModelCalls, passedThrough: PassThroughFilter) {
    this.#context = context;
    this.#calls = calls;
    this.#passedThrough = passedThrough;
    this.#speech = new Speech(context, passedThrough);
  }

  /** Takes one event in. Never throws. */
  observe(event: ChatEvent): void {
    try {
      if (event.hiddenFor === null) this.#conversed(event);
      this.#worked(event);
    } catch (error) {
      this.#context.report('observe', error);
    }
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
      case 'nested-end':
        this.#passedThrough.note(event.agent, { summary: summaryOf({ summary: event.reply }) });
        break;
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
        this.#passedThrough.note(event.agent, { hasCalled: true });
        break;
      case 'code-execution':
        this.#passedThrough.note(event.agent, { hasRun: true });
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
      probe?.end();
      return;
    }
    turn.around.answered(agent, turn);
    if (probe?.turn === turn) probe.isAnswered = true;
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

  get #durationMs(): number {
    const { breaker, place } = this.#context;
    return Math.max(0, breaker.now() - place.startedAt);
  }
}
