import { explain } from '@teamfuse/core';
import { readConversation } from '../conversations/read-conversation.ts';
import { firstTrip } from '../scores/watcher.ts';

/** Runs one conversation past our breaker, and says why it was stopped, if it was. */
export function evalExplain(path: string, id?: string): string {
  const { signals, options, id: name } = readConversation(path, id);
  const trip = firstTrip(signals, options);
  return trip ? explain(trip) : `${name} was not stopped in ${signals.length} signals`;
}
