import type { ChatItem, RunOptions } from '@teamfuse/agentchat';

/** The messages of a task that is given in messages; what is no message is left to the framework to refuse. */
export function messagesOf(task: RunOptions['task']): readonly ChatItem[] {
  const given: readonly unknown[] = Array.isArray(task) ? task : [task];
  return given.filter(isMessage);
}

/** The text of a task, or of its last message. */
export function lastTextOf(task: RunOptions['task']): string | undefined {
  return typeof task === 'string' ? task : messagesOf(task).at(-1)?.toText();
}

function isMessage(value: unknown): value is ChatItem {
  return typeof value === 'object' && value !== null && 'toText' in value && 'source' in value;
}
