import { GuardedAgent, guardTeam } from '@teamfuse/adapter-agentchat';
import { type GuardOptions, guardAgents } from '@teamfuse/adapter-groupchat';
import { Breaker } from '@teamfuse/core';
import { agentchatWith } from './agentchat/library.ts';
import type { AnyCase } from './agentchat/vector.ts';
import { groupchatWith } from './groupchat/library.ts';
import type { Vector } from './groupchat/vector.ts';
import type { Library } from './harness/library.ts';
import type { AnyVector } from './harness/vector-files.ts';

/** A breaker that judges everything and stops nothing. */
function observer(): Breaker {
  const budget = { maxUsd: 1_000_000, maxTokens: 1_000_000_000 };
  return new Breaker({ reaction: 'observe', budget, maxRunMs: 3_600_000, judge: false });
}

/** Guards on all that is played, which watch and stop nothing. */
export class Watch {
  /** In how many of the cases there was something to guard: a condition or a component by itself has no turns. */
  cases = 0;
  /** How many signals the guards have given their breakers. */
  signals = 0;
  #isGuarding = false;
  readonly #breakerFor: () => Breaker;
  readonly #problems: unknown[] = [];

  constructor(breakerFor: () => Breaker = observer) {
    this.#breakerFor = breakerFor;
  }

  /** The cases of AutoGen AgentChat, with a guard on each team and around each agent that is alone. */
  agentchat(): Library<AnyCase> {
    return this.#watched(
      agentchatWith((subject) => {
        const breaker = this.#breaker();
        if (subject.kind === 'agent') {
          return { kind: 'agent', agent: new GuardedAgent(subject.agent, breaker, this.#options) };
        }
        guardTeam(subject.team, breaker, this.#options);
        return subject;
      }),
    );
  }

  /** The cases of AutoGen 0.2, with a guard on the agents of each. */
  groupchat(): Library<Vector> {
    return this.#watched(
      groupchatWith((agents) => {
        guardAgents(agents, this.#breaker(), this.#options);
      }),
    );
  }

  /** A case in which a guard fails is not played: a guard that gives up changes nothing either. */
  #watched<V extends AnyVector>(library: Library<V>): Library<V> {
    return {
      ...library,
      play: async (vector) => {
        this.#isGuarding = false;
        const played = await library.play(vector);
        if (this.#isGuarding) this.cases++;
        const [problem] = this.#problems.splice(0);
        if (problem !== undefined) throw problem;
        return played;
      },
    };
  }

  #breaker(): Breaker {
    this.#isGuarding = true;
    const breaker = this.#breakerFor();
    breaker.on('signal', () => {
      this.signals++;
    });
    return breaker;
  }

  get #options(): GuardOptions {
    return { onError: ({ error }) => this.#problems.push(error) };
  }
}
