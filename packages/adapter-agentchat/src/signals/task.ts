import { type ChatItem, type RunOptions, TextMessage } from '@teamfuse/agentchat';

/** The messages of a task that is given in messages; what is no message is left to the framework to refuse. */
export function messagesOf(task: RunOptions['task']): readonly ChatItem[] {
  const given: readonly unknown[] = [task].flat();
  return given.filter(isMessage);
}

/** The text of a task, or of its last message. */
export function lastTextOf(task: RunOptions['task']): string | undefined {
  return typeof task === 'string' ? task : messagesOf(task).at(-1)?.toText();
}

/** The task of a run that ended before its stream showed anything, as the result has to show it. */
export function shownTask({ task, outputTaskMessages = true }: RunOptions): readonly ChatItem[] {
  if (!outputTaskMessages) return [];
  if (typeof task === 'string') return [new TextMessage({ content: task, source: 'user' })];
  return messagesOf(task);
}

function isMessage(value: unknown): value is ChatItem {
  return 'toText' in Object(value) && 'source' in Object(value);
}
