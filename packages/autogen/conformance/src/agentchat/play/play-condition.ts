import type { JsonObject, Termination } from '@teamfuse/agentchat';
import { buildCondition } from '../build/built-conditions.ts';
import { givenItem } from '../messages/given-message.ts';
import { recordedError } from '../messages/raised-error.ts';
import { Clock } from '../script/clock.ts';
import { childAt, setExternal } from '../script/condition-at.ts';
import { vectorRegistry } from '../script/vector-registry.ts';
import type { ConditionCase, ConditionStep } from '../vector.ts';
import type { Played } from './played.ts';

/** Runs a case of `conditions.jsonl`. */
export async function playCondition({ condition, steps }: ConditionCase): Promise<Played> {
  const clock = new Clock();
  const setting = { clock, registry: vectorRegistry(clock), named: new Map() };
  let root: Termination;
  try {
    root = buildCondition(condition, setting);
  } catch (error) {
    return { construct_error: recordedError(error), expected: [] };
  }
  const expected: JsonObject[] = [];
  for (const step of steps) {
    expected.push({ ...(await taken(step, root, clock)), terminated: root.terminated });
  }
  return { expected };
}

async function taken(step: ConditionStep, root: Termination, clock: Clock): Promise<JsonObject> {
  switch (step.op) {
    case 'call':
      try {
        const messages = step.messages.map((message) => givenItem(message));
        const stop = await childAt(root, step.path).call(messages);
        return { stop: stop && { content: stop.content, source: stop.source } };
      } catch (error) {
        return { error: recordedError(error) };
      }
    case 'reset':
      await childAt(root, step.path).reset();
      return {};
    case 'set':
      setExternal(root, step.path);
      return {};
    case 'clock':
      clock.advance(step.advance);
      return {};
    default:
      throw new Error(`the vectors name an unknown step: ${JSON.stringify(step)}`);
  }
}
