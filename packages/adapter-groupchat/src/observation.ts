import type { ChatEvent } from '@teamfuse/groupchat';
import { ChatTracking } from './chat-tracking.ts';
import type { Origin } from './origin.ts';
import {
  executionSignal,
  humanInputSignal,
  selectionSignal,
  toolCallSignal,
} from './signals-from-events.ts';
import { Speech } from './speech.ts';
import type { Turn } from './turn.ts';
import type { Watch } from './watch.ts';

type Of<K extends ChatEvent['kind']> = ChatEvent & { readonly kind: K };

/** Tells the breaker what happens to the agents, each thing once. */
export class Observation {
  readonly #watch: Watch;
  readonly #speech: Speech;
  readonly #chats: ChatTracking;
  /** Model calls since the last choice of a speaker, by the manager that chooses. */
  readonly #selectionCalls = new WeakMap<object, number>();

  constructor(watch: Watch) {
    this.#watch = watch;
    this.#speech = new Speech(watch);
    this.#chats = new ChatTracking(watch);
  }

  /** Takes one event in. Never throws. */
  take(event: ChatEvent): void {
    this.#watch.failOpen.attempt('observe', () => this.#take(event));
  }

  #take(event: ChatEvent): void {
    const tookMs = this.#watch.seen(event.agent);
    this.#worked(event, tookMs);
    if (!event.hiddenFor) this.#conversed(event);
  }

  /** What agents say to each other. What those say that a manager hides is none of it. */
  #conversed(event: ChatEvent): void {
    switch (event.kind) {
      case 'message':
        this.#speech.said(event);
        break;
      case 'group-message':
        this.#speech.saidToGroup(event);
        break;
      case 'chat-start':
        this.#chats.started(event.agent, event.recipient);
        break;
      case 'chat-end':
        this.#chats.ended(event);
        break;
      case 'nested-start':
        this.#chats.nestedStarted(event);
        break;
      case 'nested-end':
        this.#chats.nestedEnded(event);
        break;
      case 'turn-end':
        this.#chats.turnEnded(event);
        break;
    }
  }

  /** What agents do besides, those included that a manager hides. */
  #worked(event: ChatEvent, tookMs: number): void {
    const watch = this.#watch;
    switch (event.kind) {
      case 'model-request':
        this.#modelRequest(event);
        break;
      case 'model-response':
        this.#release(event);
        watch.tell(watch.calls.ended(event, this.#origin(event)));
        break;
      case 'tool-call':
        watch.relays.called(event.agent);
        watch.tell(toolCallSignal(event, this.#callOrigin(event), tookMs));
        break;
      case 'code-execution':
        this.#release(event);
        watch.relays.ran(event.agent);
        watch.tell(executionSignal(event, this.#origin(event), tookMs));
        break;
      case 'human-input':
        watch.relays.typed(event.agent, event.input);
        watch.tell(humanInputSignal(event, this.#origin(event), tookMs));
        break;
      case 'selection':
        this.#selection(event);
        break;
      case 'turn-end':
      case 'chat-end':
        for (const usage of watch.calls.abandoned(event.agent, this.#origin(event))) {
          watch.tell(usage);
        }
        break;
    }
  }

  /** A call is made by whoever asked for it, not by the agent that carries it out. */
  #callOrigin(event: Of<'tool-call'>): Origin {
    const turn = this.#turnOf(event);
    turn?.tools.pop();
    const origin = this.#origin(event);
    return { ...origin, agent: turn?.actsFor ?? origin.agent };
  }

  #modelRequest(event: Of<'model-request'>): void {
    const { hiddenFor } = event;
    if (hiddenFor) {
      this.#selectionCalls.set(hiddenFor, (this.#selectionCalls.get(hiddenFor) ?? 0) + 1);
    }
    const unannounced = this.#watch.calls.started(event, this.#origin(event));
    if (unannounced) this.#watch.tell(unannounced);
  }

  #selection(event: Of<'selection'>): void {
    const attempts = this.#selectionCalls.get(event.agent) ?? 0;
    this.#selectionCalls.delete(event.agent);
    const signal = selectionSignal(event, this.#origin(event), attempts);
    if (signal) this.#watch.tell(signal);
  }

  #release(event: ChatEvent): void {
    const turn = this.#turnOf(event);
    if (turn && turn.waits > 0) turn.waits -= 1;
  }

  #turnOf({ agent, hiddenFor }: ChatEvent): Turn | undefined {
    return this.#watch.turns.of(hiddenFor ?? agent);
  }

  #origin(event: ChatEvent): Origin {
    const actor = event.hiddenFor ?? event.agent;
    const scope = this.#turnOf(event)?.scope ?? this.#watch.chats.scopeOf(actor);
    return this.#watch.origin(event.agent, scope?.depth ?? 0);
  }
}
