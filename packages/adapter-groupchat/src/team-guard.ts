import { type Breaker, GuardInstallError, type Trip, type Unsubscribe } from '@teamfuse/core';
import { Admission } from './admission.ts';
import { nameOf, viewOf } from './agent-view.ts';
import { type AgentFittings, Attachment } from './attachment.ts';
import type { Guard } from './guard.ts';
import { checkOptions, type GuardOptions } from './guard-options.ts';
import type { GuardableAgent } from './guardable-agent.ts';
import { Observation } from './observation.ts';
import { isGuardedBy, replyGuard } from './reply-guard.ts';
import { UntappedSpeech } from './untapped-speech.ts';
import { UntappedTurns } from './untapped-turns.ts';
import { Watch } from './watch.ts';

/** Breakers that a guard feeds. A second one would tell everything twice. */
const guarded = new WeakSet<Breaker>();

/** The guard of one team. */
export class TeamGuard implements Guard {
  readonly #breaker: Breaker;
  readonly #watch: Watch;
  readonly #admission: Admission;
  readonly #observation: Observation;
  readonly #untappedTurns: UntappedTurns;
  readonly #untappedSpeech: UntappedSpeech;
  /** Names of agents whose words are told as they are sent. */
  readonly #heard = new Set<string>();
  readonly #attachments = new Map<object, Attachment>();
  #unsubscribe: readonly Unsubscribe[] = [];

  constructor(breaker: Breaker, options: GuardOptions) {
    checkBreaker(breaker);
    this.#breaker = breaker;
    this.#watch = new Watch(breaker, checkOptions(options));
    this.#admission = new Admission(this.#watch);
    this.#observation = new Observation(this.#watch);
    this.#untappedTurns = new UntappedTurns(this.#watch);
    this.#untappedSpeech = new UntappedSpeech(this.#watch, this.#heard);
  }

  get trip(): Trip | undefined {
    return this.#watch.trip;
  }

  get agents(): readonly GuardableAgent[] {
    return [...this.#attachments.keys()] as GuardableAgent[];
  }

  add(...agents: readonly GuardableAgent[]): void {
    if (this.#attachments.size === 0 && guarded.has(this.#breaker)) {
      throw new GuardInstallError('the breaker', 'one that no other guard feeds; use guard.add()');
    }
    const distinct = [...new Set(agents)];
    for (const [index, agent] of distinct.entries()) this.#check(agent, index);
    const added: Attachment[] = [];
    try {
      for (const agent of distinct) added.push(new Attachment(viewOf(agent), this.#fit(agent)));
    } catch (error) {
      for (const attachment of added) attachment.detach();
      throw error;
    }
    for (const attachment of added) {
      const { agent } = attachment;
      this.#attachments.set(agent, attachment);
      if (agent.taps || agent.registerHook) this.#heard.add(agent.name);
    }
    this.#listen();
  }

  uninstall(): void {
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
    this.#unsubscribe = [];
    for (const attachment of this.#attachments.values()) attachment.detach();
    this.#attachments.clear();
    this.#heard.clear();
    guarded.delete(this.#breaker);
  }

  #listen(): void {
    if (this.#unsubscribe.length > 0 || this.#attachments.size === 0) return;
    guarded.add(this.#breaker);
    const { failOpen, nudges } = this.#watch;
    this.#unsubscribe = [
      this.#breaker.on('trip', () => this.#watch.stopRuns()),
      this.#breaker.on('warn', ({ finding }) =>
        failOpen.attempt('warn', () => nudges.add(finding)),
      ),
    ];
  }

  #check(agent: GuardableAgent, index: number): void {
    const name = nameOf(agent) || `agent ${index + 1}`;
    if (typeof (agent as Partial<GuardableAgent> | null)?.registerReply !== 'function') {
      throw new GuardInstallError(name, 'an agent with a method registerReply');
    }
    if (nameOf(agent) === '') throw new GuardInstallError(name, 'an agent with a name');
    if (this.#attachments.has(agent) || isGuardedBy(viewOf(agent), this.#breaker)) {
      throw new GuardInstallError(name, 'an agent that this breaker does not guard yet');
    }
  }

  #fit(given: GuardableAgent): AgentFittings {
    const agent = viewOf(given);
    const { failOpen, nudges } = this.#watch;
    const isInstalled = (): boolean => this.#attachments.has(given);
    return {
      replyGuard: replyGuard(this.#breaker, (_recipient, messages, sender) => {
        if (!isInstalled()) return [false, null];
        if (agent.taps) return settled(this.#watch.turns.of(given, sender)?.notice);
        failOpen.attempt('admit', () => this.#keepInFront());
        if (!agent.registerHook) {
          failOpen.attempt('observe', () =>
            this.#untappedSpeech.shown(given, sender, messages ?? []),
          );
        }
        return this.#untappedTurns.decide(given, sender);
      }),
      tap: {
        observe: (event) => this.#observation.take(event),
        admit: (attempt) => {
          if (attempt.kind === 'turn') failOpen.attempt('admit', () => this.#keepInFront());
          return this.#admission.answer(attempt);
        },
      },
      beforeReply: (messages) => {
        if (!isInstalled()) return messages;
        return failOpen.attempt('warn', () => nudges.into(messages, agent)) ?? messages;
      },
      beforeSend: (outgoing) => {
        if (isInstalled()) {
          failOpen.attempt('observe', () => this.#untappedSpeech.sent(given, outgoing));
        }
        return outgoing.message;
      },
    };
  }

  /** Others may have registered in front since the last turn. */
  #keepInFront(): void {
    for (const attachment of this.#attachments.values()) attachment.keepInFront();
  }
}

function settled(notice: string | undefined): readonly [boolean, string | null] {
  return notice === undefined ? [false, null] : [true, notice];
}

function checkBreaker(breaker: Breaker): void {
  for (const method of ['observe', 'admit', 'on', 'now'] as const) {
    if (typeof (breaker as Partial<Breaker> | null)?.[method] !== 'function') {
      throw new GuardInstallError('the breaker', `a Breaker with a method ${method}`);
    }
  }
}
