import { groupOf, nameOf } from './agent-view.ts';
import type { Scope } from './scope.ts';

/** One agent's turn, from being asked for a reply to having sent it. */
export interface Turn {
  readonly agent: object;
  /** Who asks; `null` when nobody in particular does. */
  readonly sender: object | null;
  /** Whose turn it is in effect: the agent's own, or that of the agent whose calls it carries out. */
  readonly actsFor: string;
  /** Missing for agents that are talked to outside of any chat. */
  readonly scope: Scope | undefined;
  /** The turn it is a part of: the run of a group, or the turn its chat was opened in. */
  readonly parent: Turn | undefined;
  /** Whether it is the run of a group, so that others take their turns in it. */
  readonly isConducting: boolean;
  /** Tools that are running in it, the innermost last. */
  readonly tools: string[];
  /** Models and programs it is waiting for; meanwhile nothing can begin in it. */
  waits: number;
  /** Whether its reply is settled and only has to be sent. */
  isAnswered: boolean;
  /** What it says in place of a reply, to tell the team about a trip. */
  notice: string | undefined;
}

/** How a turn begins. */
export interface TurnStart extends Pick<Turn, 'agent' | 'sender' | 'scope'> {
  /** @defaultValue the agent's own name */
  readonly actsFor?: string | undefined;
  /** What it is a part of, if more is known than who asks. */
  readonly whole?: Turn | undefined;
}

/** The turns under way, in the order in which they began. */
export class Turns {
  #open: Turn[] = [];

  /** A turn that begins now. */
  begin({ agent, sender, scope, actsFor, whole }: TurnStart): Turn {
    // A reply that was settled before has been sent by now, or never will be.
    this.#open = this.#open.filter((open) => open.agent !== agent || !open.isAnswered);
    const conductor = this.#open.findLast((turn) => turn.isConducting && turn.agent === sender);
    const turn: Turn = {
      agent,
      sender,
      scope,
      actsFor: actsFor ?? nameOf(agent),
      parent: whole ?? conductor ?? scope?.opener,
      isConducting: groupOf(agent) !== undefined,
      tools: [],
      waits: 0,
      isAnswered: false,
      notice: undefined,
    };
    this.#open.push(turn);
    return turn;
  }

  /** Takes a turn off; it is over. */
  end(turn: Turn): void {
    this.#open = this.#open.filter((open) => open !== turn);
  }

  /** Takes off all turns of a chat that is over. */
  endAll(scope: Scope): readonly Turn[] {
    const over = this.#open.filter((turn) => turn.scope === scope);
    this.#open = this.#open.filter((turn) => turn.scope !== scope);
    return over;
  }

  /** The latest turn of an agent that is under way, towards one peer if one is given. */
  of(agent: object, sender?: object | null): Turn | undefined {
    return this.#open.findLast(
      (turn) => turn.agent === agent && (sender === undefined || turn.sender === sender),
    );
  }

  /** The turn in which `initiator` opens a chat; none if the chat stands for itself. */
  openerFor(initiator: object): Turn | undefined {
    const thinking = this.#open.filter(({ isAnswered }) => !isAnswered);
    const isIdle = (turn: Turn): boolean =>
      turn.waits > 0 || thinking.some(({ parent }) => parent === turn);
    return (
      thinking.findLast(({ agent }) => agent === initiator) ??
      thinking.findLast(({ tools }) => tools.length > 0) ??
      thinking.findLast((turn) => !isIdle(turn))
    );
  }
}

/** Whether a turn is `whole`, or a part of it. */
export function isWithin(turn: Turn | undefined, whole: Turn): boolean {
  for (let at = turn; at !== undefined; at = at.parent) if (at === whole) return true;
  return false;
}
