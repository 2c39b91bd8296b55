import { type Breaker, type Conversation, InvalidOptionError } from '@teamfuse/core';
import { type BreakerInternals, internalsOf, type MaybePromise } from '@teamfuse/core/kit';
import { functionOf, type OptionTable, orInvalid, readOptions } from '@teamfuse/core/options';
import type { ConversationStore } from './conversation-store.ts';
import { MovingConversation } from './moving-conversation.ts';

/** Options of {@link runInConversation}. */
export interface MovingOptions {
  /** Where the conversation is kept between its runs. */
  readonly store: ConversationStore;
  /** The conversation. @defaultValue the main one of the breaker, such as a tenant's only one */
  readonly id?: string;
}

const OPTIONS: OptionTable<MovingOptions, 'id'> = {
  store: { type: 'code', isRequired: true },
  id: { type: 'text' },
};

const EXPECTED = 'an object with load and save';

const moving: WeakMap<ConversationStore, WeakMap<Conversation, MovingConversation>> = new WeakMap();

/**
 * Runs a part of a conversation that another process may have begun: what the breaker knows of it is loaded before, and saved
 * after. Runs side by side in one process share it. If another process has saved meanwhile, its state is kept and that of this
 * run is given up, which is an `error` of the breaker. So are failures of the store; they prevent no run.
 *
 * @param work one run, whose steps belong to the conversation.
 * @throws {@link InvalidOptionError} naming the option, the expected and the received value.
 * @example
 * ```ts
 * const store = new MemoryConversationStore();
 * const [here, there] = [new Breaker({ maxMessages: 2 }), new Breaker({ maxMessages: 2 })];
 * const say = (text: string) => (chat: Conversation) => chat.observe({ kind: 'message', agent: 'ann', text })?.kind;
 * await runInConversation(here, { store, id: 'chat 7' }, say('Good morning.')); // => undefined
 * await runInConversation(there, { store, id: 'chat 7' }, say('Any news?')); // => 'limit'
 * ```
 */
export async function runInConversation<T>(
  breaker: Breaker,
  options: MovingOptions,
  work: (conversation: Conversation) => MaybePromise<T>,
): Promise<T> {
  functionOf('work', work);
  const internals = orInvalid('breaker', 'a Breaker', breaker, () => internalsOf(breaker));
  if (internals === undefined) throw new InvalidOptionError('breaker', 'a Breaker', breaker);
  const { store, id } = readOptions<MovingOptions, 'id'>('', options, OPTIONS);
  orInvalid('store', EXPECTED, store, () => checkStore(store));
  const conversation = breaker.conversation(id);
  const one = movingIn(store, conversation, internals);
  await one.enter();
  try {
    return await work(conversation);
  } finally {
    await one.leave();
  }
}

function checkStore(store: ConversationStore): void {
  for (const name of ['load', 'save'] as const) {
    if (typeof Object(store)[name] === 'function') continue;
    throw new InvalidOptionError('store', EXPECTED, store);
  }
}

function movingIn(
  store: ConversationStore,
  conversation: Conversation,
  internals: BreakerInternals,
): MovingConversation {
  const known = moving.get(store) ?? new WeakMap();
  moving.set(store, known);
  const one = known.get(conversation) ?? new MovingConversation(store, conversation, internals);
  known.set(conversation, one);
  return one;
}
