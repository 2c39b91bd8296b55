import { andThen, isPromise, type MaybePromise, type Permit } from '@teamfuse/core/kit';
import { type GuardReply, nameOf } from '../context/agent-view.ts';
import type { ChatContext } from '../context/chat-context.ts';

type Answer = readonly [final: boolean, reply: string | null];

/** Admits or refuses the turns of agents without taps, from their reply function. */
export class UntappedTurns {
  readonly #context: ChatContext;

  constructor(context: ChatContext) {
    this.#context = context;
  }

  /** Admits a turn, or answers for it. */
  decide(agent: object, sender: object | null): ReturnType<GuardReply> {
    try {
      const asked = this.#ask(agent, sender);
      if (!isPromise(asked)) return [false, null];
      return asked.then(
        (): Answer => [false, null],
        (error: unknown) => this.#context.refusals.answerTo(error),
      );
    } catch (error) {
      return this.#context.refusals.answerTo(error);
    }
  }

  #ask(agent: object, sender: object | null): MaybePromise<Permit | undefined> {
    const context = this.#context;
    const turn = { agent, sender };
    const earlier = context.probe;
    // Nothing reports the end of a turn here: the next one in the same conversation ends it.
    if (earlier !== undefined && isAfter(turn, earlier.turn)) earlier.end();
    if (context.leavesProbeToMember(agent)) return undefined;
    const name = nameOf(agent);
    const { permit: within } = context.probe ?? {};
    const scope = within && { ...context.scopeFor(name), permit: within };
    const request = { kind: 'turn', ...context.originOf(name) } as const;
    const asked = context.within(scope, () => context.ask(request));
    return andThen(asked, (permit) => {
      if (permit.isProbe) context.beginProbe(permit, turn);
      else permit.release();
      return permit;
    });
  }
}

interface Asked {
  readonly agent: object;
  readonly sender: object | null;
}

/** Whether a turn comes after another one in the same conversation, rather than being a part of it. */
function isAfter({ agent, sender }: Asked, earlier: Asked): boolean {
  if (sender === earlier.sender) return true;
  return agent === earlier.sender && sender === earlier.agent;
}
