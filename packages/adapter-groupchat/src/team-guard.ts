import { type Breaker, GuardInstallError, type Trip, type Unsubscribe } from '@teamfuse/core';
import { nameOf, viewOf } from './agent-view.ts';
import { Attachment } from './attachment.ts';
import { fittingsFor } from './fittings.ts';
import type { Guard } from './guard.ts';
import { checkOptions, type GuardOptions } from './guard-options.ts';
import type { GuardableAgent } from './guardable-agent.ts';
import { isGuardedBy } from './reply-guard.ts';
import { selfTest } from './self-test.ts';
import type { SelfTestReport } from './self-test-report.ts';
import { Session } from './session.ts';

/** Breakers that a guard feeds. A second one would tell everything twice. */
const guarded = new WeakSet<Breaker>();

/** The guard of one team. */
export class TeamGuard implements Guard {
  readonly #breaker: Breaker;
  readonly #live: Session;
  readonly #attachments = new Map<object, Attachment>();
  #unsubscribe: readonly Unsubscribe[] = [];

  constructor(breaker: Breaker, options: GuardOptions) {
    checkBreaker(breaker);
    this.#breaker = breaker;
    this.#live = new Session(breaker, checkOptions(options));
  }

  get trip(): Trip | undefined {
    return this.#live.watch.trip;
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
      for (const agent of distinct) added.push(this.#attach(agent));
    } catch (error) {
      for (const attachment of added) attachment.detach();
      throw error;
    }
    for (const attachment of added) {
      this.#attachments.set(attachment.agent, attachment);
      const { taps, registerHook, name } = attachment.agent;
      if (taps || registerHook) this.#live.untappedSpeech.hears(name);
    }
    this.#listen();
  }

  uninstall(): void {
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
    this.#unsubscribe = [];
    for (const attachment of this.#attachments.values()) attachment.detach();
    this.#attachments.clear();
    guarded.delete(this.#breaker);
  }

  async selfTest(): Promise<SelfTestReport> {
    return selfTest(this, [...this.#attachments.values()]);
  }

  #attach(agent: GuardableAgent): Attachment {
    const fittings = fittingsFor(agent, {
      owner: this,
      breaker: this.#breaker,
      live: this.#live,
      isInstalled: () => this.#attachments.has(agent),
      beforeTurn: () => {
        for (const attachment of this.#attachments.values()) attachment.keepInFront();
      },
    });
    return new Attachment(viewOf(agent), fittings);
  }

  #listen(): void {
    if (this.#unsubscribe.length > 0 || this.#attachments.size === 0) return;
    guarded.add(this.#breaker);
    const { watch } = this.#live;
    this.#unsubscribe = [
      this.#breaker.on('trip', (trip) => watch.stopRuns(trip)),
      this.#breaker.on('error', ({ error }) => watch.failOpen.report('breaker', error)),
      this.#breaker.on('warn', ({ finding }) => watch.warn(finding)),
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
}

function checkBreaker(breaker: Breaker): void {
  for (const method of ['observe', 'admit', 'on', 'now'] as const) {
    if (typeof (breaker as Partial<Breaker> | null)?.[method] !== 'function') {
      throw new GuardInstallError('the breaker', `a Breaker with a method ${method}`);
    }
  }
}
