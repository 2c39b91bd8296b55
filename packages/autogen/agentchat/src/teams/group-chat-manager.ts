import { z } from 'zod';
import { RuntimeError, ValueError } from '../base/errors.ts';
import type { JsonObject } from '../base/json.ts';
import type { MaybePromise } from '../base/maybe-promise.ts';
import type { Termination } from '../base/termination.ts';
import { validate } from '../base/validate.ts';
import type { BaseChatMessage } from '../messages/chat/chat-message.ts';
import { StopMessage } from '../messages/chat/stop-message.ts';
import type { ChatItem } from '../messages/chat-item.ts';
import { SelectSpeakerEvent } from '../messages/events/select-speaker-event.ts';
import type { MessageFactory } from '../messages/message-factory.ts';
import { throwIfCancelled } from './run-failure.ts';

/** Settings of a manager. */
export interface ManagerSetup {
  /** The source of the manager's events, and the key of its state. */
  readonly name: string;
  readonly participants: readonly { readonly name: string; readonly description: string }[];
  readonly condition: Termination | null;
  readonly maxTurns: number | null;
  readonly emitTeamEvents: boolean;
  readonly messageFactory: MessageFactory;
}

/** Operations a manager may use during a run. */
export interface RunContext {
  readonly signal: AbortSignal;
  /** Adds an item to the stream of the run. */
  emit(item: ChatItem): void;
  /** Delivers messages to all participants. */
  broadcast(messages: readonly BaseChatMessage[]): void;
  /** Resets all participants. */
  resetParticipants(): Promise<void>;
}

/** The task of a run. */
export interface Start {
  /** `null` continues where the team stopped. */
  readonly messages: readonly BaseChatMessage[] | null;
  readonly outputTaskMessages: boolean;
}

/** The next step of a run. */
export type Step =
  | { readonly kind: 'speak'; readonly speakers: readonly string[] }
  | { readonly kind: 'stop'; readonly message: StopMessage };

const stateJson = z.object({
  message_thread: z.array(z.unknown()).default([]),
  current_turn: z.int().default(0),
  refused_speakers: z.array(z.string()).default([]),
});

/**
 * Leads a team's conversation: chooses the speakers, and decides when to stop.
 *
 * Every kind of team has its own manager; most only override {@link GroupChatManager.selectSpeakers}.
 */
export abstract class GroupChatManager {
  protected readonly setup: ManagerSetup;
  #thread: ChatItem[] = [];
  #turn = 0;
  /** Who was refused in the midst of a turn, and has it again when the team goes on. */
  #refused: readonly string[] = [];

  constructor(setup: ManagerSetup) {
    if (setup.maxTurns !== null && !(setup.maxTurns > 0)) {
      throw new ValueError('The maximum number of turns must be greater than 0.');
    }
    this.setup = setup;
  }

  /** The source of the manager's events, and the key of its state. */
  get name(): string {
    return this.setup.name;
  }

  /** All messages and events since the last reset. */
  protected get thread(): readonly ChatItem[] {
    return this.#thread;
  }

  protected get participantNames(): readonly string[] {
    return this.setup.participants.map(({ name }) => name);
  }

  /** Whether a speaker who was refused in the midst of a turn has it again. */
  protected get isTurnKept(): boolean {
    return this.#refused.length > 0;
  }

  /** Clears the thread only. */
  protected clearThread(): void {
    this.#thread = [];
  }

  /** Records the task and returns the first step of the run. */
  async start({ messages, outputTaskMessages }: Start, context: RunContext): Promise<Step> {
    if (this.setup.condition?.terminated === true) {
      return { kind: 'stop', message: this.stopMessage('The group chat has already terminated.') };
    }
    this.checkStart(messages);
    if (messages !== null) {
      if (outputTaskMessages) for (const message of messages) context.emit(message);
      context.broadcast(messages);
      await this.record(messages);
      const stop = await this.judge(messages, 0);
      if (stop !== null) return { kind: 'stop', message: stop };
    }
    return this.advance(context);
  }

  /** Appends the items of an answer to the thread. One of an inner team that was refused is not whole yet. */
  record(delta: readonly ChatItem[], _isWhole = true): MaybePromise<void> {
    this.#thread.push(...delta);
  }

  /** Adds `turns` to the count and decides whether to stop. A stop resets the condition and the count. */
  async judge(delta: readonly ChatItem[], turns: number): Promise<StopMessage | null> {
    const { condition, maxTurns } = this.setup;
    const stop = await condition?.call(delta);
    if (stop) return this.stop(stop);
    this.#turn += turns;
    if (maxTurns === null || this.#turn < maxTurns) return null;
    return this.stop(this.stopMessage(`Maximum number of turns ${maxTurns} reached.`));
  }

  /** Chooses who speaks next. */
  async advance(context: RunContext): Promise<Step> {
    throwIfCancelled(context.signal);
    const kept = this.#refused;
    this.#refused = [];
    const speakers = kept.length > 0 ? kept : await this.selectSpeakers(context);
    for (const name of speakers) {
      if (!this.participantNames.includes(name)) {
        throw new RuntimeError(`Speaker ${name} not found in participant names.`);
      }
    }
    if (this.setup.emitTeamEvents) {
      context.emit(new SelectSpeakerEvent({ content: speakers, source: this.setup.name }));
    }
    return { kind: 'speak', speakers };
  }

  /** Stops the run after a guard's refusal; `speakers` keep their turn. */
  async refused(reason: string, speakers: readonly string[]): Promise<StopMessage> {
    this.#refused = speakers;
    return this.stop(this.stopMessage(reason));
  }

  async reset(): Promise<void> {
    this.#thread = [];
    this.#turn = 0;
    this.#refused = [];
    await this.setup.condition?.reset();
  }

  saveState(): MaybePromise<JsonObject> {
    return {
      version: '1.0.0',
      message_thread: this.#thread.map((item) => item.dump()),
      current_turn: this.#turn,
      // Upstream has no refusals, and its states no such field.
      ...(this.#refused.length > 0 && { refused_speakers: [...this.#refused] }),
    };
  }

  loadState(state: JsonObject): MaybePromise<void> {
    const { message_thread, current_turn, refused_speakers } = validate(
      stateJson,
      state,
      'BaseGroupChatManagerState',
    );
    this.#thread = message_thread.map((data) => this.setup.messageFactory.create(data));
    this.#turn = current_turn;
    this.#refused = refused_speakers;
  }

  /** The names of the next speakers; several speak at the same time. */
  protected abstract selectSpeakers(context: RunContext): MaybePromise<readonly string[]>;

  /**
   * Checks that a run can begin with these messages, before any of them is recorded.
   *
   * @throws {@link ValueError} if not.
   */
  protected checkStart(_messages: readonly BaseChatMessage[] | null): void {}

  /** Resets the count of turns and the condition, and returns the message. */
  protected async stop(message: StopMessage): Promise<StopMessage> {
    this.#turn = 0;
    await this.setup.condition?.reset();
    return message;
  }

  protected stopMessage(content: string): StopMessage {
    return new StopMessage({ content, source: this.setup.name });
  }
}
