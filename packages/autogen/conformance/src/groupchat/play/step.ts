import { type ChatMessage, type ChatResult, initiateChats } from '@teamfuse/groupchat';
import type { Json } from '../../harness/json.ts';
import { setGroupField } from '../build/build-group.ts';
import { chatOptions, chatQueue } from '../build/chat-spec.ts';
import { row } from '../script/rows.ts';
import type { World } from '../script/world.ts';
import type { Operation } from '../vector.ts';
import { applySetup, functionsNamed } from './setup-operation.ts';

/** Performs a step and gives what the vector calls its ok value. */
export async function performStep(world: World, step: Operation): Promise<Json> {
  if (applySetup(world, step)) return {};
  switch (step.op) {
    case 'initiate_chat': {
      const result = await world
        .agent(step.from)
        .initiateChat(world.agent(step.to), chatOptions(world, step));
      return chatValue(world, result);
    }
    case 'initiate_chats': {
      const queue = chatQueue(world, step.queue ?? []);
      const results = await (step.from === undefined
        ? initiateChats(queue)
        : world.agent(step.from).initiateChats(queue));
      return { results: results.map((result) => chatValue(world, result)) };
    }
    case 'generate_reply':
      return generateReply(world, step);
    case 'resume':
      return resume(world, step);
    case 'resume_chat': {
      const { lastAgent, lastMessage } = world.resumed.get(step.group ?? '') ?? lacking(step);
      const result = await lastAgent.initiateChat(world.agent(step.group), {
        ...chatOptions(world, step),
        message: lastMessage,
        clearHistory: false,
      });
      return chatValue(world, result);
    }
    case 'last_message': {
      const peer = step.of === undefined ? null : world.agent(step.of);
      const message = world.agent(step.agent).lastMessage(peer);
      return { message: message && row(message) };
    }
    default:
      await act(world, step);
      return {};
  }
}

async function act(world: World, step: Operation): Promise<void> {
  const { message = null, request_reply: requestReply, silent } = step;
  const said = structuredClone(message) as string | ChatMessage;
  const options = { requestReply, silent };
  const peer = typeof step.sender === 'string' ? world.agent(step.sender) : null;
  switch (step.op) {
    case 'send':
      return world.agent(step.from).send(said, world.agent(step.to), options);
    case 'receive':
      return world.agent(step.agent).receive(said, peer ?? lacking(step), options);
    case 'reset':
      return world.agent(step.agent).reset();
    case 'clear_history': {
      const other = step.with === undefined ? null : world.agent(step.with);
      return world.agent(step.agent).clearHistory(other, step.keep);
    }
    case 'update_max_consecutive_auto_reply':
      return world.agent(step.agent).updateMaxConsecutiveAutoReply(step.value as number, peer);
    case 'reset_counter':
      return world.agent(step.agent).resetConsecutiveAutoReplyCounter(peer);
    case 'stop_reply':
      return world.agent(step.agent).stopReplyAtReceive(peer);
    case 'set_human_mode':
      world.agent(step.agent).humanInputMode = step.mode ?? 'NEVER';
      return;
    case 'update_system_message':
      return world.agent(step.agent).updateSystemMessage(step.text ?? '');
    case 'set_group':
      return setGroupField(world, step.group ?? '', step.field ?? '', step.value);
    default:
      throw new TypeError(`unknown operation ${step.op}`);
  }
}

async function generateReply(world: World, step: Operation): Promise<Json> {
  const agent = world.agent(step.agent);
  const messages = structuredClone(step.messages ?? null) as ChatMessage[] | null;
  const exclude = (step.exclude ?? []).flatMap((name) => functionsNamed(world, agent.name, name));
  const sender = typeof step.sender === 'string' ? world.agent(step.sender) : null;
  const reply = await agent.generateReply({ messages, sender, exclude });
  const value = { reply: structuredClone(reply) as Json };
  return step.show_messages ? { ...value, messages_after: (messages ?? []).map(row) } : value;
}

async function resume(world: World, step: Operation): Promise<Json> {
  const manager = world.manager(step.group);
  const { messages: current } = manager.groupchat;
  const given = step.from_current === 'string' ? JSON.stringify(current) : step.messages;
  const messages = step.from_current === 'list' ? current : (given as string);
  const { remove_termination_string: remove } = step;
  const resumed = await manager.resume(messages, {
    ...(remove === undefined ? {} : { removeTerminationString: remove }),
    silent: true,
  });
  world.resumed.set(manager.name, resumed);
  return { last_agent: resumed.lastAgent.name, last_message: row(resumed.lastMessage) };
}

function chatValue(world: World, result: ChatResult): Json {
  const value = {
    summary: result.summary,
    chat_history: result.chatHistory.map(row),
    human_input: [...result.humanInput],
  };
  return world.vector.prices ? { ...value, cost: costValue(result) } : value;
}

function costValue({ cost }: ChatResult): Json {
  const side = (usage: ChatResult['cost'][keyof ChatResult['cost']]): Json => {
    const models = Object.entries(usage.models).map(([model, used]) => [
      model,
      {
        cost: used.cost,
        prompt_tokens: used.promptTokens,
        completion_tokens: used.completionTokens,
        total_tokens: used.totalTokens,
      },
    ]);
    return { total_cost: usage.totalCost, ...Object.fromEntries(models) };
  };
  return {
    usage_including_cached_inference: side(cost.usageIncludingCachedInference),
    usage_excluding_cached_inference: side(cost.usageExcludingCachedInference),
  };
}

function lacking(step: Operation): never {
  throw new TypeError(`${step.op}: the case lacks what it names`);
}
