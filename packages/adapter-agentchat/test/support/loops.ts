import {
  AssistantAgent,
  CodeExecutorAgent,
  type GroupChatOptions,
  RoundRobinGroupChat,
  type Team,
} from '@teamfuse/agentchat';
import type { FakeClock } from '@teamfuse/testing';
import { callsTool, Speaker, scriptedExecutor, slow, tool } from './agents.ts';

/** Makes a team whose models take their time by a clock; it ends after its turns unless something stops it before. */
export type TimedTeam = (clock: FakeClock, options?: GroupChatOptions) => Team;

/** A call of a tool: its name and its arguments. */
export type Call = readonly [tool: string, args: object];

/** Tools by their names; what they give goes to the model as JSON. */
export type Tools = Readonly<Record<string, (args: Record<string, unknown>) => unknown>>;

/** How long a model may think so that it is no wait, and yet long enough for a retry. */
export const THINK_MS = 4_000;

/** Speakers who take turns, each with one line after the other. */
export function speakers(lines: Readonly<Record<string, readonly string[]>>): TimedTeam {
  return (clock, options) => {
    const members = Object.entries(lines).map(
      ([name, says]) =>
        new Speaker(name, (turn) => {
          clock.advance(THINK_MS);
          return says[turn - 1] ?? '';
        }),
    );
    const maxTurns = Object.values(lines).reduce((sum, says) => sum + says.length, 0);
    return new RoundRobinGroupChat(members, { maxTurns, ...options });
  };
}

/** A coder with one line after the other, and an agent that has the code in it run. */
export function coding(
  says: readonly string[],
  outcomeOf: (code: string, run: number) => { readonly exitCode: number; readonly output: string },
): TimedTeam {
  return (clock, options) => {
    const coder = new Speaker('coder', (turn) => {
      clock.advance(THINK_MS);
      return says[turn - 1] ?? '';
    });
    const runner = new CodeExecutorAgent('runner', {
      codeExecutor: scriptedExecutor(...says.map((text, at) => outcomeOf(text, at))),
      approvalFunc: () => ({ approved: true, reason: '' }),
    });
    return new RoundRobinGroupChat([coder, runner], { maxTurns: 2 * says.length, ...options });
  };
}

/** An assistant that makes one call a turn. */
export function calling(
  calls: readonly Call[],
  makeTools: () => Tools,
  thinkMs: number = THINK_MS,
): TimedTeam {
  return (clock, options) => {
    const replies = calls.map(([name, args], at) => callsTool(name, args, `call-${at}`));
    const modelClient = slow(() => clock.advance(thinkMs), ...replies);
    const tools = Object.entries(makeTools()).map(([name, func]) =>
      tool(name, (args) => JSON.stringify(func(args as Record<string, unknown>))),
    );
    const clerk = new AssistantAgent('clerk', { modelClient, tools });
    return new RoundRobinGroupChat([clerk], { maxTurns: calls.length, ...options });
  };
}
