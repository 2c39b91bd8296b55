import { RuntimeError, ValueError } from '../base/errors.ts';
import type { JsonObject } from '../base/json.ts';
import { knownOptions } from '../base/options.ts';
import { isTaskResult, type TaskResult } from '../base/task-result.ts';
import { knownRunOptions, type RunOptions } from '../base/task-runner.ts';
import type { Participant, Team } from '../base/team.ts';
import { checkTermination, type Termination } from '../base/termination.ts';
import type { Component, ComponentModel } from '../component/component-model.ts';
import type { BaseChatMessage } from '../messages/chat/chat-message.ts';
import type { ChatItem } from '../messages/chat-item.ts';
import { ModelClientStreamingChunkEvent } from '../messages/events/model-client-streaming-chunk-event.ts';
import type { MessageFactory } from '../messages/message-factory.ts';
import { loadTeamState, teamState } from '../state/team-state.ts';
import { converse, type RunEnd } from './conversation.ts';
import type { GroupChatManager, ManagerSetup } from './group-chat-manager.ts';
import { type GroupChatOptions, groupChatOptionNames } from './group-chat-options.ts';
import { ParticipantContainer } from './participant-container.ts';
import { teamMessages } from './team-messages.ts';
import { taskMessages } from './team-task.ts';

/** Properties that differ between kinds of teams. */
export interface GroupChatKind {
  /** The class name, and the default name of the team. */
  readonly label: string;
  /** The source of the team's own events. */
  readonly managerName: string;
  /** @defaultValue 'A team of agents.' */
  readonly defaultDescription?: string;
}

/** Base class of teams: runs, state and participants. Subclasses add a manager that chooses the speakers. */
export abstract class BaseGroupChat implements Team, Component {
  readonly componentType = 'team';
  readonly name: string;
  readonly description: string;
  /** The source of the team's own events. */
  readonly managerName: string;
  /** Agents and inner teams, in the order given. */
  readonly participants: readonly Participant[];
  readonly terminationCondition: Termination | null;
  readonly maxTurns: number | null;
  readonly emitTeamEvents: boolean;
  readonly #messageFactory: MessageFactory;
  readonly #containers: ReadonlyMap<string, ParticipantContainer>;
  #manager: GroupChatManager | undefined;
  #isRunning = false;

  constructor(
    kind: GroupChatKind,
    participants: readonly Participant[],
    options: GroupChatOptions,
  ) {
    const {
      name = kind.label,
      description = kind.defaultDescription ?? 'A team of agents.',
      terminationCondition = null,
      maxTurns = null,
      customMessageTypes = [],
      emitTeamEvents = false,
    } = knownOptions(kind.label, options, groupChatOptionNames);
    if (!Array.isArray(participants)) {
      throw new ValueError(`${kind.label}: expected a list of participants, then the options.`);
    }
    if (participants.length === 0) throw new ValueError('At least one participant is required.');
    if (new Set(participants.map((participant) => participant.name)).size < participants.length) {
      throw new ValueError('The participant names must be unique.');
    }
    this.name = name;
    this.description = description;
    this.participants = [...participants];
    this.terminationCondition =
      terminationCondition === null
        ? null
        : checkTermination('terminationCondition', terminationCondition);
    this.maxTurns = maxTurns;
    this.emitTeamEvents = emitTeamEvents;
    this.managerName = kind.managerName;
    const messageFactory = teamMessages(participants, customMessageTypes);
    this.#messageFactory = messageFactory;
    this.#containers = new Map(
      participants.map((participant) => [
        participant.name,
        new ParticipantContainer(participant, messageFactory),
      ]),
    );
  }

  abstract dumpComponent(): ComponentModel;

  /** Creates the team's manager on first use. */
  protected abstract createManager(setup: ManagerSetup): GroupChatManager;

  /** Runs the team until it stops. */
  async run(options: RunOptions = {}): Promise<TaskResult> {
    for await (const item of this.runStream(options)) if (isTaskResult(item)) return item;
    throw new RuntimeError('The run ended without a result.');
  }

  /**
   * Runs the team and yields its items as they arrive, then the result.
   *
   * The team works only while the caller requests the next item; leaving the loop ends the run.
   *
   * @throws {@link ValueError} for a task that cannot be used, and while the team is running; {@link CancelledError}
   * once the signal is aborted; {@link RuntimeError} with its cause for failures after the start.
   */
  async *runStream(options: RunOptions = {}): AsyncGenerator<ChatItem | TaskResult, void> {
    const { task = null, signal, outputTaskMessages = true } = knownRunOptions(options);
    const messages = taskMessages(task);
    for (const message of messages ?? []) this.#checkTaskType(message);
    if (this.#isRunning) {
      throw new ValueError('The team is already running, it cannot run again until it is stopped.');
    }
    const start = { messages, outputTaskMessages };
    const run = converse(this.#leader(), this.#containers, start, signal);
    this.#isRunning = true;
    const seen: ChatItem[] = [];
    let step: IteratorResult<ChatItem, RunEnd>;
    try {
      for (step = await run.next(); step.done !== true; step = await run.next()) {
        if (!(step.value instanceof ModelClientStreamingChunkEvent)) seen.push(step.value);
        yield step.value;
      }
    } finally {
      // Without this the run would continue after its reader has left.
      await run.return(undefined as never).finally(() => {
        this.#isRunning = false;
      });
    }
    const { message, refusal } = step.value;
    const result = { messages: seen, stopReason: message.content };
    yield refusal === undefined ? result : { ...result, refusal };
  }

  async reset(): Promise<void> {
    if (this.#isRunning) {
      throw new RuntimeError(
        'The group chat is currently running. It must be stopped before it can be reset.',
      );
    }
    const manager = this.#leader();
    this.#isRunning = true;
    try {
      for (const container of this.#containers.values()) await container.reset();
      await manager.reset();
    } finally {
      this.#isRunning = false;
    }
  }

  /** Calls `pause` on all participants, which decide what it means. */
  async pause(): Promise<void> {
    this.#checkInitialized('paused');
    for (const container of this.#containers.values()) await container.pause();
  }

  /** Calls `resume` on all participants. */
  async resume(): Promise<void> {
    this.#checkInitialized('resumed');
    for (const container of this.#containers.values()) await container.resume();
  }

  /** The state of all participants and of the manager; the termination condition is not part of it. */
  async saveState(): Promise<JsonObject> {
    const states: Record<string, JsonObject> = {};
    for (const container of this.#containers.values())
      states[container.name] = await container.saveState();
    states[this.managerName] = await this.#leader().saveState();
    return teamState(states);
  }

  /** Restores the saved state of a team whose participants have the same names. */
  async loadState(state: JsonObject): Promise<void> {
    const manager = this.#leader();
    if (this.#isRunning) {
      throw new RuntimeError('The team cannot be loaded while it is running.');
    }
    this.#isRunning = true;
    try {
      await loadTeamState(state, [...this.#containers.values(), manager]);
    } finally {
      this.#isRunning = false;
    }
  }

  #leader(): GroupChatManager {
    this.#manager ??= this.createManager({
      name: this.managerName,
      participants: this.participants,
      condition: this.terminationCondition,
      maxTurns: this.maxTurns,
      emitTeamEvents: this.emitTeamEvents,
      messageFactory: this.#messageFactory,
    });
    return this.#manager;
  }

  #checkTaskType(message: BaseChatMessage): void {
    this.#messageFactory.check(
      message,
      ' with the message factory. Please register it with the message factory by adding it to the ' +
        'custom_message_types list when creating the team',
    );
  }

  #checkInitialized(done: string): void {
    if (this.#manager !== undefined) return;
    throw new RuntimeError(
      `The group chat has not been initialized. It must be run before it can be ${done}.`,
    );
  }
}
