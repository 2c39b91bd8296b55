import {
  type ChatItem,
  isResponse,
  isTaskResult,
  type JsonObject,
  type JsonValue,
  ModelClientStreamingChunkEvent,
  type TaskResult,
} from '@teamfuse/agentchat';
import { givenMessage } from '../messages/given-message.ts';
import { givenTask } from '../messages/given-task.ts';
import { recordedError } from '../messages/raised-error.ts';
import { MessageRecorder, normalised } from '../messages/recorded-message.ts';
import { setExternal } from '../script/condition-at.ts';
import type { World } from '../script/world.ts';
import type { Action, MessagesAction, RunAction, StateAction } from '../vector.ts';
import { recordedNotes } from './recorded-notes.ts';
import { reset, runnerOf, type Subject, statefulOf, teamOf } from './subject.ts';
import { withWarnings } from './warnings.ts';

/** What an action gave: fields for the record, and the list by which chunks name their message. */
interface Outcome {
  readonly fields: (recorder: MessageRecorder) => JsonObject;
  readonly items: readonly ChatItem[];
}

const nothing: Outcome = { fields: () => ({}), items: [] };

/** How long an action may take before it counts as hanging, in ms. */
const PATIENCE = 4000;

/** Plays the actions of one case, one after the other. */
export class ActionPlayer {
  readonly #world: World;
  readonly #build: () => Subject;
  readonly #states = new Map<string, JsonObject>();
  #subject: Subject;

  constructor(world: World, build: () => Subject) {
    this.#world = world;
    this.#build = build;
    this.#subject = this.#built();
  }

  /** Plays an action and gives its record. */
  async play(action: Action): Promise<JsonObject> {
    this.#world.takeNotes();
    const { result, warnings } = await withWarnings(() => this.#patiently(action));
    const recorder = new MessageRecorder(result.items);
    return {
      ...result.fields(recorder),
      ...recordedNotes(this.#world, recorder),
      ...(warnings.length > 0 && { warnings }),
    };
  }

  async #patiently(action: Action): Promise<Outcome> {
    let timer: NodeJS.Timeout | undefined;
    const hang = new Promise<Outcome>((resolve) => {
      timer = setTimeout(() => resolve({ fields: () => ({ hang: true }), items: [] }), PATIENCE);
    });
    try {
      return await Promise.race([this.#done(action), hang]);
    } finally {
      clearTimeout(timer);
    }
  }

  async #done(action: Action): Promise<Outcome> {
    switch (action.op) {
      case 'run':
        return this.#run(action);
      case 'run_stream':
        return this.#runStream(action);
      case 'on_messages':
        return this.#onMessages(action);
      case 'rebuild':
        this.#subject = this.#built();
        return nothing;
      case 'external_set': {
        const condition = this.#world.conditions.get(action.team ?? '');
        if (condition === undefined) throw new Error('the team has no condition to set');
        setExternal(condition, action.path);
        return nothing;
      }
      case 'clock':
        this.#world.clock.advance(action.advance);
        return nothing;
      case 'model_reset':
        this.#world.model(action.model).reset();
        return nothing;
      default:
        return failing(() => this.#stateAction(action));
    }
  }

  async #stateAction(action: StateAction): Promise<Outcome> {
    switch (action.op) {
      case 'reset':
        await reset(this.#subject);
        return nothing;
      case 'pause':
        await teamOf(this.#subject).pause();
        return nothing;
      case 'resume':
        await teamOf(this.#subject).resume();
        return nothing;
      case 'save_state': {
        const state = await statefulOf(this.#subject).saveState();
        this.#states.set(action.as, state);
        return { ...nothing, fields: () => ({ state: normalised(state) }) };
      }
      case 'load_state': {
        const state = action.state ?? this.#states.get(action.from ?? '');
        if (state === undefined) throw new Error(`no state was saved as ${action.from}`);
        await statefulOf(this.#subject).loadState(state);
        return nothing;
      }
      default:
        throw new Error(`the vectors name an unknown action: ${JSON.stringify(action)}`);
    }
  }

  async #run(action: RunAction): Promise<Outcome> {
    return failing(async () => {
      const { messages, stopReason } = await runnerOf(this.#subject).run(this.#options(action));
      return {
        items: messages,
        fields: (recorder) => ({ messages: recorder.messages(messages), stop_reason: stopReason }),
      };
    });
  }

  async #runStream(action: RunAction): Promise<Outcome> {
    const stream: ChatItem[] = [];
    let end: JsonObject = {};
    let result: TaskResult | undefined;
    try {
      for await (const item of runnerOf(this.#subject).runStream(this.#options(action))) {
        if (isTaskResult(item)) {
          result = item;
        } else {
          stream.push(item);
        }
        if (stream.length === action.close_after) break;
      }
      end = result === undefined ? { closed: true } : { stop_reason: result.stopReason };
    } catch (error) {
      end = { error: recordedError(error) };
    }
    const expected = stream.filter((item) => !(item instanceof ModelClientStreamingChunkEvent));
    const isSame =
      result === undefined ||
      (result.messages.length === expected.length &&
        result.messages.every((message, at) => message === expected[at]));
    return {
      items: stream,
      fields: (recorder) => ({
        stream: recorder.messages(stream),
        ...end,
        ...(!isSame && { messages: recorder.messages(result?.messages ?? []) }),
      }),
    };
  }

  async #onMessages({ messages }: MessagesAction): Promise<Outcome> {
    if (this.#subject.kind !== 'agent') throw new Error('the case is not about an agent');
    const stream: ChatItem[] = [];
    const given = messages.map((message) => givenMessage(message));
    try {
      for await (const item of this.#subject.agent.onMessagesStream(given)) {
        if (!isResponse(item)) {
          stream.push(item);
          continue;
        }
        const { chatMessage, innerMessages = null } = item;
        return {
          items: [...stream, chatMessage],
          fields: (recorder) => ({
            stream: recorder.messages(stream),
            chat_message: recorder.message(chatMessage),
            inner_messages: innerMessages && recorder.messages(innerMessages),
          }),
        };
      }
      throw new Error('the agent gave no response');
    } catch (error) {
      return {
        items: stream,
        fields: (recorder) => ({
          stream: recorder.messages(stream),
          error: recordedError(error),
        }),
      };
    }
  }

  #options(action: RunAction) {
    const { token } = action;
    const cancellation = token === undefined ? undefined : new AbortController();
    if (token === 'cancelled') cancellation?.abort();
    this.#world.cancellation = cancellation;
    return {
      task: givenTask(action.task),
      outputTaskMessages: action.output_task_messages,
      signal: cancellation?.signal,
    };
  }

  #built(): Subject {
    const subject = this.#build();
    this.#world.team = subject.kind === 'team' ? subject.team : undefined;
    return subject;
  }
}

/** Notes an error as the outcome. */
async function failing(run: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await run();
  } catch (error) {
    return { ...nothing, fields: () => ({ error: recordedError(error) as JsonValue }) };
  }
}
