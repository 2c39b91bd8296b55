import { mergeStreams } from '../async/merge-streams.ts';
import type { StopMessage } from '../messages/chat/stop-message.ts';
import type { ChatItem } from '../messages/chat-item.ts';
import type { GroupChatManager } from './group-chat-manager.ts';
import type { ParticipantContainer } from './participant-container.ts';
import { throwIfCancelled } from './run-failure.ts';

/** The manager and participants of one run, and the controller that cancels it. */
export interface Round {
  readonly manager: GroupChatManager;
  readonly containers: ReadonlyMap<string, ParticipantContainer>;
  readonly run: AbortController;
}

/** One turn of a team, in which its speakers speak at the same time. */
export class Turn {
  /** What they say, as it comes. */
  readonly items: AsyncGenerator<ChatItem, void>;
  readonly #round: Round;
  readonly #unanswered: Set<string>;
  #verdict: Promise<StopMessage | null> | undefined;

  constructor(round: Round, speakers: readonly string[]) {
    this.#round = round;
    this.#unanswered = new Set(speakers);
    const spoken = speakers.map((name) => this.#speak(name));
    this.items = mergeStreams(spoken, () => round.run.abort());
  }

  /** Why the team stops after the turn; nothing if it goes on. It is there once all have spoken. */
  get verdict(): Promise<StopMessage | null> | undefined {
    return this.#verdict;
  }

  /** Those whose answer is not in the team's thread. */
  get unanswered(): readonly string[] {
    return [...this.#unanswered];
  }

  async *#speak(name: string): AsyncGenerator<ChatItem, void> {
    const { manager, containers, run } = this.#round;
    const container = containers.get(name);
    if (container === undefined) throw new Error(`no container for ${name}`);
    const { delta, chatMessages, unstreamed, refusal } = yield* container.ask(run.signal);
    for (const other of containers.values()) if (other !== container) other.deliver(chatMessages);
    await manager.record(delta, refusal === undefined);
    if (refusal !== undefined) throw refusal;
    this.#unanswered.delete(name);
    // The condition judges only the last answer of a turn.
    if (this.#unanswered.size === 0) this.#verdict = manager.judge(delta, 1);
    await this.#verdict?.catch(() => undefined);
    throwIfCancelled(run.signal);
    for (const item of unstreamed) yield item;
  }
}
