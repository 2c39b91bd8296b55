import { describe, otherVersion, type TapSet } from '@teamfuse/adapter-kit';
import type { ChatAgent, Team, Workbench } from '@teamfuse/agentchat';
import { GuardInstallError } from '@teamfuse/core/kit';
import { executorTap } from '../taps/executor-tap.ts';
import { inputTap } from '../taps/input-tap.ts';
import { modelTap } from '../taps/model-tap.ts';
import { agentRunTap, teamRunTap } from '../taps/run-tap.ts';
import { isAgent, isExecutor, isGroup, isModelClient, isWorkbench } from '../taps/shapes.ts';
import { turnTap } from '../taps/turn-tap.ts';
import { workbenchTap } from '../taps/workbench-tap.ts';
import { attempts } from './attempts.ts';
import { callerOf } from './find-model.ts';
import { handoffNames, heedsNudges, membersOf, runnersOf } from './members.ts';
import type { TeamContext } from './team-context.ts';

/**
 * Taps a team and all that take part in it.
 *
 * @throws {@link GuardInstallError} naming what is not as expected; some taps may be in place by then.
 */
export function tapTeam(context: TeamContext, taps: TapSet, team: Team): void {
  const owner = `team '${team.name}'`;
  if (!taps.claim(team, owner)) return;
  const name = callerOf(team);
  for (const [member, value] of membersOf(team)) {
    if (!isModelClient(value, member)) continue;
    replace(taps, team, owner, { [member]: modelTap(context, value, { name, isManager: true }) });
  }
  for (const participant of team.participants as readonly unknown[]) {
    if (isGroup(participant)) tapTeam(context, taps, participant);
    else if (isAgent(participant)) tapAgent(context, taps, participant);
    else {
      const expected = 'participants with onMessages and onMessagesStream, or teams';
      const missing = `${expected}, received ${describe(participant)}`;
      throw new GuardInstallError(owner, missing, otherVersion(participant, '0.4'));
    }
  }
  const { run, runStream } = teamRunTap(context, team);
  replace(taps, team, owner, { runStream, run });
}

function tapAgent(context: TeamContext, taps: TapSet, agent: ChatAgent): void {
  const { name } = agent;
  const owner = `agent '${name}'`;
  if (!taps.claim(agent, owner)) return;
  const workbench = (value: Workbench): Workbench => {
    for (const runner of runnersOf(value)) {
      if (isGroup(runner)) tapTeam(context, taps, runner);
      else tapRunnableAgent(context, taps, runner);
    }
    return workbenchTap(context, value, name);
  };
  let models = false;
  let code = false;
  for (const [member, value] of membersOf(agent)) {
    let tap: unknown;
    if (isModelClient(value, member)) {
      tap = modelTap(context, value, { name, isManager: false });
      models = true;
    } else if (isExecutor(value)) {
      tap = executorTap(context, value, name);
      code = true;
    } else if (isWorkbench(value)) tap = workbench(value);
    else if (Array.isArray(value) && value.length > 0 && value.every(isWorkbench)) {
      tap = value.map(workbench);
    } else if (isGroup(value)) tapTeam(context, taps, value);
    else if (isAgent(value)) tapAgent(context, taps, value);
    if (tap !== undefined) replace(taps, agent, owner, { [member]: tap });
  }
  const inputFunc = inputTap(context, agent);
  if (inputFunc !== undefined) replace(taps, agent, owner, { inputFunc });
  const coverage = { models, code, handoffs: handoffNames(agent), heedsNudges: heedsNudges(agent) };
  const answering = {
    onMessages: agent.onMessages.bind(agent),
    onMessagesStream: agent.onMessagesStream.bind(agent),
  };
  replace(taps, agent, owner, { ...turnTap(context, agent, answering, coverage) });
}

/** An agent that a tool puts to work by itself. */
function tapRunnableAgent(context: TeamContext, taps: TapSet, agent: ChatAgent): void {
  tapAgent(context, taps, agent);
  const isTapped = taps.all.some(({ target, member }) => target === agent && member === 'run');
  if (!isTapped) replace(taps, agent, `agent '${agent.name}'`, { ...agentRunTap(context, agent) });
}

function replace(
  taps: TapSet,
  target: object,
  owner: string,
  members: Readonly<Record<string, unknown>>,
): void {
  for (const [member, value] of Object.entries(members)) {
    taps.replace(target, owner, member, value, attempts(target, member, value));
  }
}
