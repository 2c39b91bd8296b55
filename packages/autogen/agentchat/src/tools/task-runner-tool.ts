import type { ToolSchema } from '@teamfuse/models';
import { z } from 'zod';
import { RuntimeError, ValueError } from '../base/errors.ts';
import { isTaskResult, type TaskResult } from '../base/task-result.ts';
import type { TaskRunner } from '../base/task-runner.ts';
import { type ChatItem, isChatMessage } from '../messages/chat-item.ts';
import { checked } from './checked.ts';
import { jsonSchemaOf } from './schema.ts';
import type { StreamTool, ToolCallOptions } from './tool.ts';

const args = z.object({ task: z.string().describe('The task to be done.') });

/** Fields of a {@link TaskRunnerTool}. */
export interface TaskRunnerToolFields {
  readonly runner: TaskRunner;
  readonly name: string;
  readonly description: string;
  readonly returnValueAsLastMessage: boolean;
}

/** Base class of tools that run an agent or a team; the caller streams the items of that run. */
export abstract class TaskRunnerTool implements StreamTool {
  readonly name: string;
  readonly description: string;
  readonly schema: ToolSchema;
  /** Whether the model gets only the text of the last message instead of all messages. */
  readonly returnValueAsLastMessage: boolean;
  readonly #runner: TaskRunner;

  constructor({ runner, name, description, returnValueAsLastMessage }: TaskRunnerToolFields) {
    this.name = name;
    this.description = description;
    this.schema = { name, description, parameters: jsonSchemaOf(args, `tool ${name}`) };
    this.returnValueAsLastMessage = returnValueAsLastMessage;
    this.#runner = runner;
  }

  async runJson(value: unknown, { signal }: ToolCallOptions = {}): Promise<TaskResult> {
    const { task } = await checked(args, value, 'TaskRunnerToolArgs');
    return unrefused(await this.#runner.run({ task, signal }));
  }

  async *runJsonStream(
    value: unknown,
    { signal }: ToolCallOptions = {},
  ): AsyncGenerator<ChatItem, TaskResult> {
    const { task } = await checked(args, value, 'TaskRunnerToolArgs');
    for await (const item of this.#runner.runStream({ task, signal })) {
      if (isTaskResult(item)) return unrefused(item);
      yield item;
    }
    throw new RuntimeError(`${this.name} did not produce a TaskResult.`);
  }

  returnValueAsString(value: unknown): string {
    if (!isTaskResult(value)) return String(value);
    const { messages } = value;
    if (!this.returnValueAsLastMessage) {
      return messages
        .filter((message) => isChatMessage(message) && message.source !== 'user')
        .map((message) => `${message.source}: ${message.toText()}`)
        .join('\n\n');
    }
    const last = messages.at(-1);
    if (!isChatMessage(last)) throw new ValueError('The last message is not a BaseChatMessage.');
    return last.toText();
  }
}

/** A guard's refusal inside the run ends the turn around it. */
function unrefused(result: TaskResult): TaskResult {
  if (result.refusal !== undefined) throw result.refusal;
  return result;
}
