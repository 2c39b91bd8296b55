import { type SelfTestReport, type TapCheck, tripIn } from '@teamfuse/adapter-kit';
import { Breaker } from '@teamfuse/core';
import type { Attempt, ChatEvent } from '@teamfuse/groupchat';
import { isTapped } from '../context/agent-view.ts';
import type { ChatContext } from '../context/chat-context.ts';
import { rehearse } from '../context/self-test-harness.ts';
import type { InstalledHooks } from './installed-hooks.ts';

type Said = ChatEvent & { readonly kind: 'message' };

/** Two agents say the same to each other, over and over. */
const LOOP = ['Shall we go on?', 'Yes, let us go on.'];
const MAX_MESSAGES = 24;

/** Sends a known loop through the hooks of a guard, to a breaker of its own, and then asks for a turn. */
export async function selfTest(
  context: ChatContext,
  installed: readonly InstalledHooks[],
  unguarded: readonly string[],
): Promise<SelfTestReport> {
  const checks: TapCheck[] = [];
  for (const hooks of installed) {
    checks.push(...(await rehearse(context, () => checkAgent(context, hooks))));
  }
  const isPassed = checks.length > 0 && checks.every(({ isWorking }) => isWorking);
  return { isPassed, checks, unguarded };
}

async function checkAgent(context: ChatContext, installed: InstalledHooks): Promise<TapCheck[]> {
  const { agent } = installed;
  const { isMissing } = installed;
  installed.keepInFront();
  const conversation = new Breaker({ maxMessages: MAX_MESSAGES }).conversation('');
  const { run } = context.looseScope(agent.name);
  const scope = {
    run: { ...run, conversation },
    // No notice is due in nested chats, so that a refusal shows in every mode.
    depth: 1,
    path: ['self-test'],
    local: context.newPlace(),
  };
  const isRefused = await context.within(scope, async () => {
    sendLoop(installed);
    return isTurnRefused(installed);
  });
  const isNoticed = conversation.trip !== undefined;
  const member = isTapped(agent) ? 'taps' : agent.registerHook ? 'registerHook' : 'registerReply';
  const problems = [
    isMissing && ['registerReply', 'the guard is not among the reply functions'],
    !installed.isInFront && ['registerReply', 'the guard is not in front of the reply functions'],
    !isNoticed && [member, 'a known loop was not noticed'],
    !isRefused && [member, 'a turn was let through after a trip'],
  ].filter((problem) => problem !== false);
  const owner = `agent '${agent.name}'`;
  return [...new Set(['registerReply', member])].map((checked) => {
    const [, problem] = problems.find(([failing]) => failing === checked) ?? [];
    const isWorking = problem === undefined;
    return { owner, member: checked, isWorking, ...(problem !== undefined && { problem }) };
  });
}

/** Sends the loop the way the agent's messages are reported. */
function sendLoop({ agent, hooks }: InstalledHooks): void {
  for (const event of loopEvents()) {
    if (isTapped(agent)) agent.taps.observe(event);
    else if (agent.registerHook) {
      hooks.beforeSend({ message: event.message, recipient: event.peer });
    }
  }
}

/** Asks for a turn as a chat would. Agents without taps find the loop in the history they are to answer. */
async function isTurnRefused({ agent, hooks }: InstalledHooks): Promise<boolean> {
  const sender = stranger('ping');
  const messages = [...loopEvents()].map(({ message }) => message);
  try {
    if (isTapped(agent)) {
      const turn = { kind: 'turn', agent, hiddenFor: null, sender, messages };
      return (await agent.taps.admit(turn as unknown as Attempt)) !== undefined;
    }
    const [isFinal] = await hooks.reply(agent, messages, sender);
    return isFinal;
  } catch (error) {
    return tripIn(error) !== undefined;
  }
}

function* loopEvents(): Generator<Said> {
  const [ping, pong] = [stranger('ping'), stranger('pong')];
  for (let at = 0; at < MAX_MESSAGES; at += 1) {
    const [agent, peer] = at % 2 === 0 ? [ping, pong] : [pong, ping];
    const message = { role: 'user', name: agent.name, content: LOOP[at % LOOP.length] ?? '' };
    const copy = { direction: 'sent', hiddenFor: null, delivery: at } as const;
    yield { kind: 'message', ...copy, agent, peer, message };
  }
}

/** An agent that takes part in nothing else. */
function stranger(name: string): Said['agent'] {
  return { name } as Said['agent'];
}
