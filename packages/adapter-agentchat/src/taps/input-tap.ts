import { askPerson } from '@teamfuse/adapter-kit';
import type { InputFunc } from '@teamfuse/agentchat';
import type { TeamContext } from '../guard/team-context.ts';

/** Wraps the function with which an agent asks a person: the wait takes no run time and ends with the run. */
export function inputTap(context: TeamContext, agent: object): InputFunc | undefined {
  const { inputFunc } = agent as { inputFunc?: InputFunc };
  if (typeof inputFunc !== 'function') return undefined;
  // The answer is reported as the message that the agent says.
  return (prompt, options) =>
    askPerson(context, {
      signal: options.signal,
      work: (signal) => inputFunc.call(agent, prompt, { ...options, signal }),
    });
}
