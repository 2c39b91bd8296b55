import { randomUUID } from 'node:crypto';
import {
  type ConversationStore,
  type JsonValue,
  type OptionTable,
  readOptions,
  type SavedConversation,
  type Timers,
} from '@teamfuse/core/kit';
import { Line, MACHINE_TIMERS } from '@teamfuse/stores/server';
import { LOAD, SAVE } from './conversation-scripts.ts';
import { type RedisClient, type RunScript, scriptsOf } from './redis-client.ts';
import type { Script } from './scripts.ts';

/** Options of {@link RedisConversationStore}. */
export interface RedisConversationStoreOptions {
  /** What the keys begin with. @defaultValue 'teamfuse' */
  readonly prefix?: string;
  /** Milliseconds for which a conversation is kept after it was saved. @defaultValue 604_800_000, a week */
  readonly keptMs?: number;
  /** Milliseconds to wait for an answer. @defaultValue 300 */
  readonly timeoutMs?: number;
  /** How often a question is sent until the server counts as lost. @defaultValue 3 */
  readonly attempts?: number;
  /** The timers, such as those of a `FakeClock`. @defaultValue those of the machine, which keep no process alive */
  readonly timers?: Timers;
}

const OPTIONS: OptionTable<RedisConversationStoreOptions, 'timers'> = {
  prefix: { type: 'text', default: 'teamfuse' },
  keptMs: { type: 'integer', min: 1_000, default: 7 * 24 * 3_600_000 },
  timeoutMs: { type: 'integer', min: 1, max: 10_000, default: 300 },
  attempts: { type: 'integer', min: 1, max: 10, default: 3 },
  timers: { type: 'code' },
};

/**
 * Keeps the states of conversations that move between processes in Redis or Valkey. The client stays yours: connect it before, and
 * close it after.
 */
export class RedisConversationStore implements ConversationStore {
  readonly #prefix: string;
  readonly #keptMs: number;
  readonly #script: RunScript;
  readonly #line: Line;

  /** @throws {@link InvalidOptionError} naming the option, the expected and the received value. */
  constructor(client: RedisClient, options: RedisConversationStoreOptions = {}) {
    const read = readOptions<RedisConversationStoreOptions, 'timers'>('', options, OPTIONS);
    const { prefix, keptMs, timeoutMs, attempts, timers = MACHINE_TIMERS } = read;
    this.#prefix = `${prefix}:conversation:`;
    this.#keptMs = keptMs;
    this.#script = scriptsOf(client);
    this.#line = new Line({ timeoutMs, attempts, timers, onRetry: () => {} });
  }

  /** @throws {@link UnreachableServerError} when the server does not answer. */
  async load(id: string): Promise<SavedConversation | undefined> {
    const [version, state] = await this.#ask(LOAD, id);
    if (version === undefined || state === undefined) return undefined;
    return { version, snapshot: JSON.parse(state) };
  }

  /** @throws {@link UnreachableServerError} when the server does not answer. It may have saved the state. */
  async save(
    id: string,
    snapshot: JsonValue,
    version: string | undefined,
  ): Promise<string | undefined> {
    // One that is sent again finds its own version there.
    const next = randomUUID();
    const args = [version ?? '', next, JSON.stringify(snapshot), `${this.#keptMs}`];
    const [kept] = await this.#ask(SAVE, id, args);
    return kept === next ? next : undefined;
  }

  /** Ends the timers. The client stays open: it belongs to the caller. */
  close(): void {
    this.#line.close();
  }

  #ask(script: Script, id: string, args: readonly string[] = []): Promise<readonly string[]> {
    return this.#line.ask(() => this.#script(script, [this.#prefix + id], args));
  }
}
