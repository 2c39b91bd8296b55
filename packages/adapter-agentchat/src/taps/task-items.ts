import { type ChatItem, type RunOptions, TextMessage } from '@teamfuse/agentchat';

/** The task of a run that ended before its stream showed anything, as the result has to show it. */
export function taskItems({ task, outputTaskMessages = true }: RunOptions): readonly ChatItem[] {
  if (!outputTaskMessages || task === null || task === undefined) return [];
  if (typeof task === 'string') return [new TextMessage({ content: task, source: 'user' })];
  return [task].flat();
}
