import { type OptionTable, readOptions } from '@teamfuse/core/options';
import {
  type ConversationServer,
  SERVER_CONVERSATION_OPTIONS,
  type ServerConversationOptions,
  ServerConversationStore,
} from '../server/index.ts';
import { askRows, callFunction, checkClient, type PostgresClient } from './postgres-client.ts';
import { textKey } from './text-key.ts';

/** Options of {@link PostgresConversationStore}. */
export interface PostgresConversationStoreOptions extends ServerConversationOptions {
  /** The name of the fleet: processes of one name share their conversations. @defaultValue 'main' */
  readonly fleet?: string;
}

const OPTIONS: OptionTable<PostgresConversationStoreOptions, 'timers'> = {
  ...SERVER_CONVERSATION_OPTIONS,
  fleet: { type: 'text', default: 'main' },
};

/**
 * Keeps the states of conversations that move between processes in PostgreSQL. The client stays yours: call {@link migrate} once
 * before, and end it after.
 */
export class PostgresConversationStore extends ServerConversationStore {
  /** @throws {@link InvalidOptionError} naming the option, the expected and the received value. */
  constructor(client: PostgresClient, options: PostgresConversationStoreOptions = {}) {
    const read = readOptions<PostgresConversationStoreOptions, 'timers'>('', options, OPTIONS);
    super(serverOf(checkClient(client), textKey(read.fleet)), read);
  }
}

const LOAD =
  'SELECT version, state FROM teamfuse.conversation WHERE fleet = $1 AND id = $2 AND ends > clock_timestamp()';

function serverOf(client: PostgresClient, fleet: string): ConversationServer {
  return {
    async load(id) {
      const [row] = await askRows(client, LOAD, [fleet, textKey(id)]);
      return row as { readonly version: string; readonly state: string } | undefined;
    },
    async save(id, { before, next, state, keptMs }) {
      const args = [fleet, textKey(id), before, next, state, keptMs];
      return String(await callFunction(client, 'save_conversation', args));
    },
  };
}
