import { shown, typeText } from '@teamfuse/python-compat';
import { ValueError } from '../base/errors.ts';
import type { RunOptions } from '../base/task-runner.ts';
import type { BaseChatMessage } from '../messages/chat/chat-message.ts';
import { TextMessage } from '../messages/chat/text-message.ts';
import { isChatMessage } from '../messages/chat-item.ts';

/**
 * The messages of a task put to a single agent; a text counts as said by `user`.
 *
 * @throws {@link ValueError} for an empty list, and for anything that is not a message.
 */
export function taskMessages(task: RunOptions['task']): readonly BaseChatMessage[] {
  if (task === null || task === undefined) return [];
  if (typeof task === 'string') return [new TextMessage({ content: task, source: 'user' })];
  if (isChatMessage(task)) return [task];
  if (!Array.isArray(task)) {
    throw new ValueError(
      `Expected a task that is a text, a message or a list of messages, received ${shown(task)}.`,
    );
  }
  if (task.length === 0) throw new ValueError('Task list cannot be empty.');
  for (const message of task) {
    if (!isChatMessage(message)) {
      throw new ValueError(`Invalid message type in sequence: ${typeText(message)}`);
    }
  }
  return [...task];
}
