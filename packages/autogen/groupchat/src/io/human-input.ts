import type { ConversableAgent } from '../agents/conversable-agent.ts';

/** Asks a person inside the taps of an agent, for a message of theirs or for the next speaker. */
export function humanInput(
  agent: ConversableAgent,
  purpose: 'message' | 'speaker',
  prompt: string,
): Promise<string> {
  const asked = { kind: 'human-input', purpose, prompt } as const;
  return agent.inside(asked, async (signal) => {
    const input = await agent.io.input(prompt, signal && { signal });
    if (purpose === 'message') agent.humanInputs.push(input);
    agent.emit({ ...asked, input });
    return input;
  });
}
