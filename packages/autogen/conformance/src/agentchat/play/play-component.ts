import {
  BaseChatAgent,
  BaseGroupChat,
  ChatCompletionContext,
  type Component,
  type Expected,
  type JsonObject,
  type JsonValue,
  TerminationCondition,
} from '@teamfuse/agentchat';
import { buildCondition } from '../build/built-conditions.ts';
import { buildContext } from '../build/built-context.ts';
import { SpecBuilder } from '../build/spec-builder.ts';
import { recordedError } from '../messages/raised-error.ts';
import { World } from '../script/world.ts';
import type { ComponentCase } from '../vector.ts';
import { type ExpectedClass, expectedClass } from './expected-class.ts';
import type { Played } from './played.ts';

/** Runs a case of `components.jsonl`. */
export function playComponent(vector: ComponentCase): Played {
  const world = new World(vector.models);
  if (vector.op === 'load') {
    return loaded(vector.input ?? null, expectedClass(vector.expect ?? ''), world);
  }
  let component: Component;
  try {
    component = built(vector, world);
  } catch (error) {
    return { construct_error: recordedError(error) };
  }
  try {
    const dumped = plain(component.dumpComponent());
    return { dumped, ...loaded(dumped, kindOf(component), world) };
  } catch (error) {
    return { dumped: { error: recordedError(error) } };
  }
}

function built({ condition, context, agent, team, id }: ComponentCase, world: World): Component {
  const builder = new SpecBuilder(world, { isWatching: false });
  const { clock, registry } = world;
  if (condition) {
    return buildCondition(condition, {
      clock,
      registry,
      named: builder.named,
    }) as TerminationCondition;
  }
  if (context) return buildContext(context);
  if (agent) return builder.agent(agent, '') as BaseChatAgent;
  if (team) return builder.rootTeam(team);
  throw new Error(`${id} describes no component`);
}

function loaded(input: JsonValue, expected: Expected<object>, { registry }: World): Played {
  try {
    const component = registry.load(input, expected) as Component;
    return {
      loaded_type: component.constructor.name,
      reloaded_dump: plain(component.dumpComponent()),
    };
  } catch (error) {
    return { reloaded_dump: { error: recordedError(error) } };
  }
}

function kindOf(component: Component): ExpectedClass {
  const kinds = [TerminationCondition, BaseGroupChat, BaseChatAgent, ChatCompletionContext];
  const kind = kinds.find((candidate) => component instanceof candidate);
  if (kind === undefined) throw new Error('a component of no known kind');
  return kind;
}

/** The form the vectors record: without the sentences that describe classes. */
function plain(dump: object): JsonObject {
  const json: JsonValue = JSON.parse(JSON.stringify(dump));
  return withoutDescriptions(json) as JsonObject;
}

function withoutDescriptions(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withoutDescriptions);
  if (typeof value !== 'object' || value === null) return value;
  const isComponent = 'provider' in value && 'config' in value;
  const entries = Object.entries(value).filter(([key]) => !(isComponent && key === 'description'));
  return Object.fromEntries(entries.map(([key, field]) => [key, withoutDescriptions(field)]));
}
