import type { Attempt } from '@teamfuse/adapter-kit';
import { TrippedError } from '@teamfuse/core';
import type { ChatEvent, Step } from '@teamfuse/groupchat';
import { type AgentView, type GuardReply, isTapped } from '../context/agent-view.ts';
import type { ChatContext } from '../context/chat-context.ts';
import type { ViewedOutgoing } from '../untapped/untapped-speech.ts';

/** The member by which a guard hears an agent. */
export function heardBy(agent: AgentView): string {
  if (isTapped(agent)) return 'taps';
  return agent.registerHook ? 'registerHook' : 'registerReply';
}

/**
 * A step of the loop that the self-test sends through the taps of an agent: a sender repeats its message, in the way the agent's
 * messages are reported, and then the agent asks for a turn.
 */
export function loopStep(
  context: ChatContext,
  agent: AgentView,
  reply: GuardReply,
  beforeSend: (outgoing: ViewedOutgoing) => unknown,
): Attempt {
  let delivery = 0;
  return async () => {
    // It takes part in nothing else.
    const sender = { name: 'ping' };
    const message = { content: 'Shall we go on?' };
    const messages = [message];
    if (isTapped(agent)) {
      delivery += 1;
      const copy = { kind: 'message', direction: 'sent', hiddenFor: null, delivery } as const;
      agent.taps.observe({ ...copy, agent: sender, peer: agent, message } as unknown as ChatEvent);
      const turn = { kind: 'turn', agent, hiddenFor: null, sender, messages };
      await agent.taps.around(turn as unknown as Step, async () => undefined);
      return;
    }
    // Agents with hooks are heard as they send, others by the history that they are to answer.
    if (agent.registerHook) beforeSend({ message, recipient: sender });
    const [isFinal] = await reply(agent, agent.registerHook ? [] : messages, sender);
    const { trip } = context.conversation;
    if (isFinal && trip !== undefined) throw new TrippedError(trip);
  };
}
