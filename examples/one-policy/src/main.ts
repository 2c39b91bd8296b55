import { fileURLToPath } from 'node:url';
import { AssistantAgent as ChatAssistant, RoundRobinGroupChat } from '@teamfuse/agentchat';
import { isTripped, type Trip } from '@teamfuse/core';
import { AssistantAgent, GroupChat, GroupChatManager } from '@teamfuse/groupchat';
import { type InstallGuard, installOn } from '@teamfuse/install';
import { ReplayChatCompletionClient } from '@teamfuse/models';

const EXPECTED =
  'one file: a group stopped by speaker-cycle, a team by its limit of 8, a function by its limit of 5';

// The file beside this one, wherever the example is started from.
const cwd = fileURLToPath(new URL('..', import.meta.url));

/** A group of the 0.2 shape that hands one sentence round. */
async function runGroup(): Promise<Trip | undefined> {
  const defaultAutoReply = 'Over to you, please.';
  const writer = new AssistantAgent({ name: 'writer', llmConfig: false, defaultAutoReply });
  const critic = new AssistantAgent({ name: 'critic', llmConfig: false, defaultAutoReply });
  const groupchat = new GroupChat({
    agents: [writer, critic],
    maxRound: 60,
    speakerSelectionMethod: 'round_robin',
  });
  const manager = new GroupChatManager({ name: 'manager', groupchat, silent: true });
  const guard = installOn(manager, undefined, { cwd });
  await show(guard);
  await writer.initiateChat(manager, { message: 'Write about tides.', silent: true });
  guard.uninstall();
  return guard.breaker.conversation().trip;
}

/** A team of the 0.4 shape, whose name has a section of its own. */
async function runTeam(): Promise<{ trip: Trip | undefined; count: number }> {
  const members = ['reader', 'editor'].map((name) => {
    const notes = Array.from({ length: 30 }, (_, i) => `Note ${i} of the ${name}.`);
    return new ChatAssistant(name, { modelClient: new ReplayChatCompletionClient(notes) });
  });
  const team = new RoundRobinGroupChat(members, { name: 'research', maxTurns: 60 });
  const guard = installOn(team, undefined, { cwd });
  await show(guard);
  const { messages } = await team.run({ task: 'Read about tides.' });
  guard.uninstall();
  const said = messages.filter(({ source }) => source === 'reader' || source === 'editor');
  return { trip: guard.breaker.conversation().trip, count: said.length };
}

/** A function that code calls in a loop. */
async function runFunction(): Promise<{ trip: Trip | undefined; calls: number }> {
  let calls = 0;
  const search = (page: number): string => {
    calls++;
    return `results of page ${page}`;
  };
  const guard = installOn({ search }, undefined, { cwd, team: 'tools' });
  await show(guard);
  try {
    for (let page = 0; page < 100; page++) guard.guarded.search(page);
  } catch (error) {
    if (!isTripped(error)) throw error;
  }
  return { trip: guard.trip, calls };
}

async function show(guard: InstallGuard<unknown>): Promise<void> {
  const { found, team, isPassed } = await guard.report();
  for (const { kind, members } of found) {
    const section = team === null ? 'all teams' : `team ${team}`;
    console.log(
      `${kind} of ${members.join(', ')}: policy of ${section}, self-test ${isPassed ? 'passed' : 'FAILED'}`,
    );
    if (!isPassed) process.exit(1);
  }
}

const group = await runGroup();
const team = await runTeam();
const tools = await runFunction();
const last = [
  `one file: a group stopped by ${group?.kind}`,
  `a team by its ${team.trip?.kind} of ${team.count}`,
  `a function by its ${tools.trip?.kind} of ${tools.calls}`,
].join(', ');
console.log(last);
process.exitCode = last === EXPECTED ? 0 : 1;
