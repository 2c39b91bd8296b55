import {
  Agent,
  type HookMethods,
  type NestedReplyFunction,
  type ReplyFunction,
} from '@teamfuse/groupchat';
import { nestedQueue } from '../build/chat-spec.ts';
import { messageHook } from '../build/message-hook.ts';
import { toTrigger } from '../build/vector-trigger.ts';
import { builtInsNamed } from '../script/built-ins.ts';
import { camelCase } from '../script/camel-case.ts';
import { ScriptSource } from '../script/script-source.ts';
import { probe, scriptedReply, verdict } from '../script/scripted-reply.ts';
import type { World } from '../script/world.ts';
import type { Operation, Script, Verdict } from '../vector.ts';

/** Applies a setup operation; `false` when it is none. */
export function applySetup(world: World, operation: Operation): boolean {
  switch (operation.op) {
    case 'register_reply':
      registerReply(world, operation);
      return true;
    case 'probe':
      for (const name of operation.agents ?? []) {
        world.agent(name).registerReply([Agent, null], probe(world, operation));
      }
      return true;
    case 'replace_reply':
      replaceReply(world, operation);
      return true;
    case 'nested':
      registerNested(world, operation);
      return true;
    case 'hook':
      registerHook(world, operation);
      return true;
    default:
      return false;
  }
}

function registerReply(world: World, operation: Operation): void {
  const { agent = '', fn = '', config, position, reset_config: reset } = operation;
  const replyFunc = scriptedReply(world, fn, operation);
  world.noteFunction(agent, fn, replyFunc);
  const resetConfig = reset
    ? (live: unknown): void => {
        world.recorder.note({ ev: 'reset_config', fn, config: structuredClone(live) });
        Object.assign(live as object, reset.set);
      }
    : undefined;
  world.agent(agent).registerReply(toTrigger(world, operation.trigger ?? null), replyFunc, {
    ...(position === undefined ? {} : { position }),
    ...(config === undefined ? {} : { config: structuredClone(config) as unknown }),
    resetConfig,
    removeOtherReplyFuncs: operation.remove_other_reply_funcs ?? false,
  });
}

function replaceReply(world: World, { agent: name = '', old = '', new: spec }: Operation): void {
  const agent = world.agent(name);
  const replacement = scriptedReply(world, spec?.fn ?? '', spec ?? {});
  world.noteFunction(name, spec?.fn ?? '', replacement);
  for (const replyFunc of functionsNamed(world, name, old)) {
    agent.replaceReplyFunc(replyFunc, replacement);
  }
}

/** The scripted or built-in reply functions an agent has under a name. */
export function functionsNamed(world: World, agent: string, name: string): ReplyFunction[] {
  return [...world.functions(agent, name), ...builtInsNamed(world.agent(agent), name)];
}

function registerNested(world: World, operation: Operation): void {
  const { agent: name, id = '', position, reply_func: script, reply_func_invalid } = operation;
  const agent = world.agent(name);
  const queue = nestedQueue(world, operation.queue ?? []);
  world.recorder.queues.set(queue, id);
  const invalid = reply_func_invalid as unknown as NestedReplyFunction | undefined;
  const custom = script ? customReply(script) : invalid;
  if (custom !== undefined) world.recorder.customQueues.add(queue);
  agent.registerNestedChats(queue, toTrigger(world, operation.trigger ?? null), {
    ...(custom === undefined ? {} : { replyFuncFromNestedChats: custom }),
    ...(position === undefined ? {} : { position }),
  });
}

function customReply(script: Script<Verdict>): NestedReplyFunction {
  const source = new ScriptSource(script.script, script.then);
  return (_queue, recipient, messages, sender, config) =>
    verdict(source, [recipient, messages, sender, config]);
}

function registerHook(world: World, operation: Operation): void {
  const method = camelCase(operation.method ?? '') as keyof HookMethods;
  world.agent(operation.agent).registerHook(method, messageHook(world, operation));
}
