import { type Breaker, InvalidOptionError } from '@teamfuse/core';
import type { TenantNames } from '@teamfuse/core/kit';
import { orInvalid } from '@teamfuse/core/options';

/** For whom a guard runs work: at least one of the names. */
export interface ForWhom extends TenantNames {
  /**
   * The id of the conversation that the work continues, such as that of a chat.
   * @defaultValue the one that the guard's options name; without, a new one
   */
  readonly conversation?: string | undefined;
}

/** For whom runs are. */
export interface RunTenant {
  readonly breaker: Breaker;
  /** The id that their conversation has within the breaker. */
  readonly conversation: string | undefined;
}

/** @throws {@link InvalidOptionError} naming the option, the expected and the received value. */
export function tenantOf(breaker: Breaker, whom: ForWhom): RunTenant {
  if (typeof whom !== 'object' || whom === null) {
    throw new InvalidOptionError('options', 'user, team or key', whom);
  }
  const { conversation, ...names } = orInvalid('options', 'user, team or key', whom, () => ({
    ...whom,
  }));
  return { breaker: breaker.for(names), conversation: conversationId(conversation) };
}

/** The breaker takes 1,000 characters, and runs side by side add their number. */
const MAX_ID = 900;

/** The id of a conversation, if there is one. @throws {@link InvalidOptionError} */
export function conversationId(id: unknown): string | undefined {
  if (id === undefined || (typeof id === 'string' && id.length <= MAX_ID)) return id;
  throw new InvalidOptionError('conversation', `text of at most ${MAX_ID} characters`, id);
}
