import type { JsonObject } from '@teamfuse/agentchat';
import { recordedError } from '../messages/raised-error.ts';
import type { MessageRecorder } from '../messages/recorded-message.ts';
import type { ConditionEntry, World } from '../script/world.ts';

/** What was noted during an action, in the form the vectors record it: nothing for what is empty. */
export function recordedNotes(world: World, recorder: MessageRecorder): JsonObject {
  const { agents, models, selectors, conditions } = world.takeNotes();
  const logs = [...conditions].map(
    ([team, entries]) => [team, entries.map((entry) => recordedEntry(entry, recorder))] as const,
  );
  const root = logs.find(([team]) => team === '')?.[1];
  const inner = logs.filter(([team]) => team !== '');
  const condition = world.conditions.get('');
  return {
    ...(root && { condition_log: root }),
    ...(inner.length > 0 && { inner_condition_logs: Object.fromEntries(inner) }),
    ...(condition && { terminated: condition.terminated }),
    ...(agents.length > 0 && { agent_log: agents }),
    ...(models.length > 0 && { model_calls: models }),
    ...(selectors.length > 0 && { selector_log: selectors }),
  };
}

function recordedEntry(entry: ConditionEntry, recorder: MessageRecorder): JsonObject {
  if (entry.kind === 'reset') return { reset: true };
  const call = recorder.messages(entry.messages);
  const { outcome } = entry;
  if (outcome === undefined) return { call };
  if ('error' in outcome) return { call, error: recordedError(outcome.error) };
  const { stop } = outcome;
  return { call, stop: stop && { content: stop.content, source: stop.source } };
}
