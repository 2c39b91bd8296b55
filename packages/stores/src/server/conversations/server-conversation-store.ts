import { randomUUID } from 'node:crypto';
import type { JsonValue, Timers } from '@teamfuse/core/kit';
import type { OptionTable, WithDefaults } from '@teamfuse/core/options';
import type { ConversationStore, SavedConversation } from '../../fleet/conversation-store.ts';
import { Line, MACHINE_TIMERS } from '../line.ts';

/** Options of all stores of conversations on a server. */
export interface ServerConversationOptions {
  /** Milliseconds for which a conversation is kept after it was saved. @defaultValue 604_800_000, a week */
  readonly keptMs?: number;
  /** Milliseconds to wait for an answer. @defaultValue 300 */
  readonly timeoutMs?: number;
  /** How often a question is sent until the server counts as lost. @defaultValue 3 */
  readonly attempts?: number;
  /** The timers, such as those of a `FakeClock`. @defaultValue those of the machine, which keep no process alive */
  readonly timers?: Timers;
}

/** @internal */
export const SERVER_CONVERSATION_OPTIONS: OptionTable<ServerConversationOptions, 'timers'> = {
  keptMs: { type: 'integer', min: 1_000, default: 7 * 24 * 3_600_000 },
  timeoutMs: { type: 'integer', min: 1, max: 10_000, default: 300 },
  attempts: { type: 'integer', min: 1, max: 10, default: 3 },
  timers: { type: 'code' },
};

/** A state that is to be saved. */
export interface ConversationSave {
  /** The version that it is saved on top of; empty if nothing was there. */
  readonly before: string;
  /** Its own version. */
  readonly next: string;
  readonly state: string;
  readonly keptMs: number;
}

/** A server that keeps conversations, as texts. */
export interface ConversationServer {
  load(id: string): Promise<{ readonly version: string; readonly state: string } | undefined>;
  /** Saves a state, unless another one is there than `before`. Returns the version that is there then. */
  save(id: string, save: ConversationSave): Promise<string>;
}

/** Conversations that a server keeps, with limits to the wait for it. */
export class ServerConversationStore implements ConversationStore {
  readonly #server: ConversationServer;
  readonly #keptMs: number;
  readonly #line: Line;

  constructor(
    server: ConversationServer,
    options: WithDefaults<ServerConversationOptions, 'timers'>,
  ) {
    const { keptMs, timeoutMs, attempts, timers = MACHINE_TIMERS } = options;
    this.#server = server;
    this.#keptMs = keptMs;
    this.#line = new Line({ timeoutMs, attempts, timers, onRetry: () => {} });
  }

  /** @throws {@link UnreachableServerError} when the server does not answer. */
  async load(id: string): Promise<SavedConversation | undefined> {
    const saved = await this.#line.ask(() => this.#server.load(id));
    return saved && { version: saved.version, snapshot: JSON.parse(saved.state) };
  }

  /** @throws {@link UnreachableServerError} when the server does not answer. It may have saved the state. */
  async save(
    id: string,
    snapshot: JsonValue,
    version: string | undefined,
  ): Promise<string | undefined> {
    // One that is sent again finds its own version there.
    const next = randomUUID();
    const state = JSON.stringify(snapshot);
    const save = { before: version ?? '', next, state, keptMs: this.#keptMs };
    const there = await this.#line.ask(() => this.#server.save(id, save));
    return there === next ? next : undefined;
  }

  /** Ends the timers. The client stays open: it belongs to the caller. */
  close(): void {
    this.#line.close();
  }
}
