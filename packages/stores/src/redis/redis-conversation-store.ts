import { type OptionTable, readOptions } from '@teamfuse/core/options';
import {
  type ConversationServer,
  SERVER_CONVERSATION_OPTIONS,
  type ServerConversationOptions,
  ServerConversationStore,
} from '../server/index.ts';
import { LOAD, SAVE } from './conversation-scripts.ts';
import { type RedisClient, scriptsOf } from './redis-client.ts';

/** Options of {@link RedisConversationStore}. */
export interface RedisConversationStoreOptions extends ServerConversationOptions {
  /** What the keys begin with. @defaultValue 'teamfuse' */
  readonly prefix?: string;
}

const OPTIONS: OptionTable<RedisConversationStoreOptions, 'timers'> = {
  ...SERVER_CONVERSATION_OPTIONS,
  prefix: { type: 'text', default: 'teamfuse' },
};

/**
 * Keeps the states of conversations that move between processes in Redis or Valkey. The client stays yours: connect it before, and
 * close it after.
 */
export class RedisConversationStore extends ServerConversationStore {
  /** @throws {@link InvalidOptionError} naming the option, the expected and the received value. */
  constructor(client: RedisClient, options: RedisConversationStoreOptions = {}) {
    const read = readOptions<RedisConversationStoreOptions, 'timers'>('', options, OPTIONS);
    super(serverOf(client, `${read.prefix}:conversation:`), read);
  }
}

function serverOf(client: RedisClient, base: string): ConversationServer {
  const run = scriptsOf(client);
  return {
    async load(id) {
      const [version, state] = await run(LOAD, [base + id], []);
      return version === undefined || state === undefined ? undefined : { version, state };
    },
    async save(id, { before, next, state, keptMs }) {
      const [there = ''] = await run(SAVE, [base + id], [before, next, state, String(keptMs)]);
      return there;
    },
  };
}
