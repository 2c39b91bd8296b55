import type { Trip } from '@teamfuse/core';
import { nameOf } from './agent-view.ts';
import type { Turn } from './turn.ts';

/** One outermost chat with everything nested in it: what a trip ends. */
export class Run {
  /** Why it was ended. Once set it holds until the outermost chat is over, whatever the circuit does. */
  trip: Trip | undefined;
  /** Whether the team has been told so. */
  isTold = false;
}

/** A conversation with a depth of its own: an outermost chat, or what was nested in a turn. */
export interface Scope {
  readonly run: Run;
  readonly depth: number;
  /** From the agent that began the outermost chat to this one, both included. */
  readonly path: readonly string[];
  /** The turn it was opened in, if that is known. */
  readonly opener: Turn | undefined;
  /** Everybody who has spoken in it. */
  readonly members: Set<object>;
}

/** The scope of an outermost chat. */
export function outermostScope(initiator: object): Scope {
  return {
    run: new Run(),
    depth: 0,
    path: [nameOf(initiator)],
    opener: undefined,
    members: new Set([initiator]),
  };
}

/** The scope of a chat that `owner` opens in a turn of its own or of somebody it works for. */
export function nestedScope(owner: object, opener: Turn | undefined, chatId: string): Scope {
  const outer = opener?.scope ?? outermostScope(opener?.agent ?? owner);
  return {
    run: outer.run,
    depth: outer.depth + 1,
    path: [...outer.path, chatId],
    opener,
    members: new Set(),
  };
}

/** What a nested queue goes by: the names of those it asks. */
export function nestedChatId(queue: readonly { readonly recipient: object }[]): string {
  return [...new Set(queue.map(({ recipient }) => nameOf(recipient)))].join('+') || 'nested';
}
