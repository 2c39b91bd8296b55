import { Breaker, GuardInstallError } from '@teamfuse/core';
import type { Attempt, ChatEvent } from '@teamfuse/groupchat';
import { type AgentView, groupOf, nameOf } from './agent-view.ts';
import type { Attachment } from './attachment.ts';
import { checkOptions } from './guard-options.ts';
import { type Rehearsal, rehearse } from './rehearsal.ts';
import type { AgentReport, SelfTestReport } from './self-test-report.ts';
import { Session } from './session.ts';

type Said = ChatEvent & { readonly kind: 'message' };

/** Two agents say the same to each other, over and over. */
const LOOP = ['Shall we go on?', 'Yes, let us go on.'];
const MESSAGES = 24;

/**
 * Sends a loop through what is installed on the agents, to a breaker of its own.
 *
 * @throws {@link GuardInstallError} naming the first agent whose wiring is broken.
 */
export async function selfTest(
  owner: object,
  attachments: readonly Attachment[],
): Promise<SelfTestReport> {
  const agents: AgentReport[] = [];
  for (const attachment of attachments) agents.push(await testAgent(owner, attachment));
  const guarded = new Set<object>(attachments.map(({ agent }) => agent));
  const members = attachments.flatMap(({ agent }) => groupOf(agent) ?? []);
  const unguarded = members.filter((member) => !guarded.has(member)).map(nameOf);
  return { agents, unguarded: [...new Set(unguarded)] };
}

async function testAgent(owner: object, attachment: Attachment): Promise<AgentReport> {
  const { agent } = attachment;
  const errors: unknown[] = [];
  const onError = ({ error }: { readonly error: unknown }): unknown => errors.push(error);
  const options = checkOptions({ onTrip: 'reply', onError });
  const session = new Session(new Breaker({ maxMessages: MESSAGES }), options);
  const rehearsal = { owner, session };
  const reply = findReplyGuard(attachment);
  const heardBy = sendLoop(attachment, rehearsal);
  const isStopped = await stopTurn(attachment, rehearsal);
  const isHeard = session.watch.breaker.trip !== undefined;
  expect(isHeard, agent, `what is said to reach the guard (${heardBy})`, errors[0]);
  expect(isStopped, agent, 'the guard to stop a turn', errors[0]);
  expect(errors.length === 0, agent, 'signals that the breaker can take', errors[0]);
  return { agent: agent.name, reply, heardBy };
}

/** Finds the guard in the chain. It may have slipped from the front, as it does between two turns, but not out. */
function findReplyGuard(attachment: Attachment): AgentReport['reply'] {
  const { agent, fittings } = attachment;
  const { replyFuncList } = agent;
  if (!replyFuncList) return 'unreadable';
  const isThere = replyFuncList.some(({ replyFunc }) => replyFunc === fittings.replyGuard);
  expect(isThere, agent, 'the guard among its reply functions');
  attachment.keepInFront();
  const isFirst = replyFuncList[0]?.replyFunc === fittings.replyGuard;
  expect(isFirst, agent, 'the guard at position 0 of its reply functions');
  return 'verified';
}

/** Lets the loop be heard the way the agent's words are. */
function sendLoop({ agent, fittings }: Attachment, rehearsal: Rehearsal): AgentReport['heardBy'] {
  const { taps } = agent;
  if (taps) {
    for (const event of loopEvents()) taps.observe(rehearse(event, rehearsal));
    return 'taps';
  }
  // What is said is then found in the history, when the turn is asked for.
  if (!agent.registerHook) return 'history';
  for (const { message, peer: recipient } of loopEvents()) {
    fittings.beforeSend({ message: rehearse(message, rehearsal), recipient });
  }
  return 'hook';
}

/** Asks for a turn as a chat would; the guard has to say why it is not given, and then to be silent. */
async function stopTurn({ agent, fittings }: Attachment, rehearsal: Rehearsal): Promise<boolean> {
  const sender = stranger('ping');
  const messages = rehearse(
    [...loopEvents()].map(({ message }) => message),
    rehearsal,
  );
  const turn = { kind: 'turn', agent, hiddenFor: null, sender, messages } as unknown as Attempt;
  await agent.taps?.admit(rehearse({ ...turn }, rehearsal));
  const [isFinal, notice] = await fittings.replyGuard(agent, messages, sender);
  const isRefused = !agent.taps || (await agent.taps.admit(rehearse({ ...turn }, rehearsal)));
  return isFinal && notice !== null && Boolean(isRefused);
}

function* loopEvents(): Generator<Said> {
  const [ping, pong] = [stranger('ping'), stranger('pong')];
  for (let at = 0; at < MESSAGES; at += 1) {
    const [agent, peer] = at % 2 === 0 ? [ping, pong] : [pong, ping];
    const content = LOOP[at % LOOP.length] ?? '';
    const message = { role: 'user', name: agent.name, content };
    yield {
      kind: 'message',
      direction: 'sent',
      agent,
      hiddenFor: null,
      peer,
      message,
      delivery: at,
    };
  }
}

/** Somebody who takes part in nothing else. */
function stranger(name: string): Said['agent'] {
  return { name } as Said['agent'];
}

function expect(isMet: boolean, agent: AgentView, expected: string, cause?: unknown): void {
  if (isMet) return;
  throw new GuardInstallError(agent.name, expected, cause === undefined ? {} : { cause });
}
