import { GroupChatError, invalidValue } from '../errors.ts';
import type { Agent } from './agent.ts';
import type { ChatMessage } from './message.ts';

const keptKeys = [
  'content',
  'function_call',
  'tool_calls',
  'tool_responses',
  'tool_call_id',
  'name',
  'context',
] as const;

/** The histories of one agent, by peer. */
export class Conversations {
  readonly #byPeer: Map<Agent | null, ChatMessage[]>;

  constructor(histories: Map<Agent | null, ChatMessage[]> = new Map()) {
    this.#byPeer = histories;
  }

  /** The live histories. */
  get byPeer(): Map<Agent | null, ChatMessage[]> {
    return this.#byPeer;
  }

  /** The live history with a peer; creates an empty one if necessary. */
  with(peer: Agent | null): ChatMessage[] {
    const known = this.#byPeer.get(peer);
    if (known) return known;
    const begun: ChatMessage[] = [];
    this.#byPeer.set(peer, begun);
    return begun;
  }

  /** The last message with a peer, or of the only conversation. */
  last(peer: Agent | null): ChatMessage | null {
    if (peer !== null) return lastOf(this.#known(peer));
    if (this.#byPeer.size === 0) return null;
    if (this.#byPeer.size > 1) {
      throw invalidValue(
        'More than one conversation is found. Please specify the sender to get the last message.',
      );
    }
    return lastOf([...this.#byPeer.values()][0] ?? []);
  }

  /** Keeps only the last messages of each conversation, and one more where a tool result would lose its call. */
  keepLast(count: number, onOneMore: (peer: Agent | null) => void): void {
    for (const [peer, history] of this.#byPeer) {
      const first = history.at(-count);
      const oneMore = first !== undefined && 'tool_responses' in first;
      if (oneMore) onOneMore(peer);
      this.#byPeer.set(peer, history.slice(-(count + (oneMore ? 1 : 0))));
    }
  }

  /** Removes all histories, or empties the history with one peer in place. */
  clear(peer?: Agent): void {
    if (peer) this.with(peer).length = 0;
    else this.#byPeer.clear();
  }

  #known(peer: Agent): ChatMessage[] {
    const history = this.#byPeer.get(peer);
    if (history) return history;
    throw new GroupChatError(
      'UNKNOWN_CONVERSATION',
      `The agent '${peer.name}' is not present in any conversation. No history available for this agent.`,
    );
  }
}

/**
 * Makes the message to store: only the known keys, with role and name filled in.
 *
 * @throws {@link GroupChatError} with code `INVALID_MESSAGE` when there is neither content nor a call
 */
export function storedMessage(
  message: string | ChatMessage,
  role: 'assistant' | 'user',
  name: string,
): ChatMessage {
  const given: ChatMessage = typeof message === 'string' ? { content: message } : message;
  const kept: ChatMessage = {};
  for (const key of keptKeys) {
    if (given[key] !== undefined && given[key] !== null) Object.assign(kept, { [key]: given[key] });
  }
  if (!('content' in kept)) {
    if (!('function_call' in kept) && !('tool_calls' in kept)) throw invalidMessage(role);
    kept.content = null;
  }
  const stored = storedRole(given, role);
  if (stored !== null) kept.role = stored;
  if (asksForCall(kept)) kept.role = 'assistant';
  else if (!('name' in kept)) kept.name = name;
  return kept;
}

/** Whether a message asks for a function or for tools. */
function asksForCall(message: ChatMessage): boolean {
  return asksForFunction(message) || (message.tool_calls?.length ?? 0) > 0;
}

/** Whether a message asks for a function in the older form. */
export function asksForFunction(message: ChatMessage): boolean {
  return Object.keys(message.function_call ?? {}).length > 0;
}

function storedRole(message: ChatMessage, role: string): string | null {
  if (message.role === 'function' || message.role === 'tool') return message.role;
  return message.override_role === undefined ? role : message.override_role;
}

function invalidMessage(role: 'assistant' | 'user'): GroupChatError {
  const what = role === 'assistant' ? 'Message' : 'Received message';
  return new GroupChatError(
    'INVALID_MESSAGE',
    `${what} can't be converted into a valid ChatCompletion message. Either content or function_call must be provided.`,
  );
}

function lastOf(history: readonly ChatMessage[]): ChatMessage {
  const last = history.at(-1);
  if (last) return last;
  throw new GroupChatError('EMPTY_CONVERSATION', 'The conversation holds no message yet.');
}
