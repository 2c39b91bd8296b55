import {
  Agent,
  type AgentClass,
  AssistantAgent,
  ConversableAgent,
  GroupChatManager,
  type Trigger,
  type TriggerElement,
  type TriggerTest,
  UserProxyAgent,
} from '@teamfuse/groupchat';
import type { World } from '../script/world.ts';
import type { VectorTrigger } from '../vector.ts';

const classes: Readonly<Record<string, AgentClass>> = {
  Agent,
  ConversableAgent,
  AssistantAgent,
  UserProxyAgent,
  GroupChatManager: GroupChatManager as AgentClass,
};

/** Makes the trigger a vector describes, invalid ones included. */
export function toTrigger(world: World, trigger: VectorTrigger): Trigger {
  return element(world, trigger) as Trigger;
}

function element(world: World, trigger: VectorTrigger): TriggerElement {
  if (trigger === null) return null;
  if (isList(trigger)) return trigger.map((inner) => element(world, inner));
  if ('class' in trigger) return classes[trigger.class] as AgentClass;
  if ('name' in trigger) return trigger.name;
  if ('agent' in trigger) return world.agent(trigger.agent);
  if ('invalid' in trigger) return trigger.invalid as TriggerElement;
  return test(trigger.fn);
}

function isList(trigger: VectorTrigger): trigger is readonly VectorTrigger[] {
  return Array.isArray(trigger);
}

function test(fn: Extract<VectorTrigger, { fn: unknown }>['fn']): TriggerTest {
  const { sender_in: senders, last_speaker_in: speakers } = fn;
  // An arrow in a call has no name and so is printed as <function>.
  const unnamed = (answer: TriggerTest): TriggerTest => answer;
  if (senders) return unnamed((sender) => sender !== null && senders.includes(sender.name));
  if (fn.sender_is_none) return unnamed((sender) => sender === null);
  if (speakers) {
    return unnamed((sender) => {
      const speaker =
        sender && 'lastSpeaker' in sender ? (sender.lastSpeaker as Agent | null) : null;
      return speaker !== null && speakers.includes(speaker.name);
    });
  }
  return unnamed(() => fn.returns as boolean);
}
