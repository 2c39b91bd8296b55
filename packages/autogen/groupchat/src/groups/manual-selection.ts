import type { ConversableAgent } from '../agents/conversable-agent.ts';
import { humanInput } from '../io/human-input.ts';
import type { Agent } from '../messages/agent.ts';

const prompt =
  'Enter the number of the next speaker (enter nothing or `q` to use auto selection): ';

/** Asks a person who speaks next; `null` after an empty answer or two bad ones. */
export async function manualSelectSpeaker(
  agents: readonly Agent[],
  asker: ConversableAgent,
): Promise<Agent | null> {
  const { io } = asker;
  io.print('Please select the next speaker from the following list:');
  for (const [at, { name }] of agents.entries()) io.print(`${at + 1}: ${name}`);
  for (let attempt = 1; attempt <= 2; attempt += 1) {
    const input = await humanInput(asker, 'speaker', prompt);
    if (input === '' || input === 'q') return null;
    const chosen = /^\s*\+?\d+\s*$/.test(input) ? agents[Number(input) - 1] : undefined;
    if (chosen) return chosen;
    io.print(`Invalid input. Please enter a number between 1 and ${agents.length}.`);
  }
  io.print('You have tried 3 times. The next speaker will be selected automatically.');
  return null;
}
