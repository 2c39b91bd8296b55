import type { TapSet } from '@teamfuse/adapter-kit';
import { type AgentTap, type AgentView, type GuardReply, isTapped } from '../context/agent-view.ts';
import type { ChatContext } from '../context/chat-context.ts';
import { ModelCalls } from '../observe/model-calls.ts';
import { PassThroughFilter } from '../observe/pass-through-filter.ts';
import { PromptNudges } from '../observe/prompt-nudges.ts';
import { SignalEmitter } from '../observe/signal-emitter.ts';
import { Steps } from '../steps/steps.ts';
import { UntappedSpeech, type ViewedOutgoing } from '../untapped/untapped-speech.ts';
import { UntappedTurns } from '../untapped/untapped-turns.ts';
import { ChainLink } from './chain-link.ts';
import { heardBy, loopStep } from './self-test.ts';

/** Puts the taps of one guard into its agents. */
export class AgentTaps {
  readonly #context: ChatContext;
  readonly #nudges: PromptNudges;
  readonly #untappedSpeech: UntappedSpeech;
  readonly #untappedTurns: UntappedTurns;
  readonly #tap: AgentTap;
  readonly #links: Map<object, ChainLink> = new Map();
  /** The agents without taps: their links alone know of their turns. */
  readonly #untapped: Set<object> = new Set();

  constructor(context: ChatContext) {
    this.#context = context;
    this.#nudges = new PromptNudges(context);
    this.#untappedSpeech = new UntappedSpeech(context, this.#nudges);
    this.#untappedTurns = new UntappedTurns(context);
    const calls = new ModelCalls(context, this.#nudges);
    const passedThrough = new PassThroughFilter();
    const steps = new Steps(context, calls, passedThrough);
    const signals = new SignalEmitter(context, calls, passedThrough);
    this.#tap = {
      observe: (event) => {
        if (context.isActive) signals.observe(event);
      },
      admit: ({ kind }) =>
        context.isActive && kind === 'selection' ? context.refusals.ofSelection() : undefined,
      around: (step, work) => {
        if (!context.isActive) return work();
        if (step.kind === 'turn') this.#keepInFront(step.agent);
        return steps.around(step, work);
      },
    };
  }

  /** Taps an agent; some of the taps are in place if it throws. */
  install(taps: TapSet, agent: AgentView): void {
    const context = this.#context;
    const link = new ChainLink(agent, this.#replyOf(agent));
    const beforeSend = (outgoing: ViewedOutgoing): unknown => {
      if (context.isActive) this.#untappedSpeech.sent(agent, outgoing);
      return outgoing.message;
    };
    const heard = heardBy(agent);
    const add = (member: string, check: () => string | undefined, undo: () => void): void => {
      const attempts = member === heard ? [loopStep(context, agent, link.reply, beforeSend)] : [];
      taps.add({ target: agent, owner: `agent '${agent.name}'`, member, attempts, check, undo });
    };
    const remove = (): void => {
      this.#links.delete(agent);
      this.#untapped.delete(agent);
      link.remove();
    };
    add('registerReply', () => link.check(), remove);
    this.#links.set(agent, link);
    if (!isTapped(agent)) this.#untapped.add(agent);
    link.put();
    if (heard === 'registerReply') return;
    const undos: (() => void)[] = [];
    const undo = (): void => {
      for (const step of undos) step();
    };
    add(heard, () => undefined, undo);
    if (isTapped(agent)) undos.push(agent.taps.add(this.#tap));
    else undos.push(hook(agent, 'processMessageBeforeSend', beforeSend));
    const beforeReply: PromptNudges['into'] = (messages) => {
      if (!context.isActive) return messages;
      return context.attempt('warn', () => this.#nudges.into(messages, agent)) ?? messages;
    };
    undos.push(hook(agent, 'processAllMessagesBeforeReply', beforeReply));
    this.#untappedSpeech.hears(agent.name);
  }

  /** What the guard's link in the chain of an agent answers: it settles turns that are refused. */
  #replyOf(agent: AgentView): GuardReply {
    const context = this.#context;
    return (_recipient, messages, sender) => {
      if (!context.isActive) return [false, null];
      if (isTapped(agent)) {
        const notice = context.place.turn?.notice;
        return notice === undefined ? [false, null] : [true, notice];
      }
      this.#keepInFront(agent);
      this.#untappedSpeech.shown(agent, sender, messages ?? []);
      return this.#untappedTurns.decide(agent, sender);
    };
  }

  /** Puts the links back in front that the turn of an agent may depend on: its own, and those of agents without taps. */
  #keepInFront(agent: object): void {
    if (this.#context.isRehearsal) return;
    this.#context.attempt('admit', () => {
      this.#links.get(agent)?.keepInFront();
      for (const other of this.#untapped) this.#links.get(other)?.keepInFront();
    });
  }
}

/** Registers a hook with agents that have some, and gives back how to remove it. */
function hook(agent: AgentView, method: string, call: unknown): () => void {
  agent.registerHook?.(method, call);
  return () => agent.removeHook?.(method, call);
}
