import { ValueError } from '../base/errors.ts';
import type { RunOptions } from '../base/task-runner.ts';
import type { BaseChatMessage } from '../messages/chat/chat-message.ts';
import { TextMessage } from '../messages/chat/text-message.ts';
import { isChatMessage } from '../messages/chat-item.ts';

/**
 * The messages of a task; `null` without a task, when the team continues where it stopped.
 *
 * @throws {@link ValueError} for anything else than a task.
 */
export function taskMessages(task: RunOptions['task']): readonly BaseChatMessage[] | null {
  if (task === null || task === undefined) return null;
  if (typeof task === 'string') return [new TextMessage({ content: task, source: 'user' })];
  if (isChatMessage(task)) return [task];
  if (!Array.isArray(task)) {
    throw new ValueError('Task must be a string, a BaseChatMessage, or a list of BaseChatMessage.');
  }
  if (task.length === 0) throw new ValueError('Task list cannot be empty.');
  if (!task.every(isChatMessage)) {
    throw new ValueError('All messages in task list must be valid BaseChatMessage types');
  }
  return [...task];
}
