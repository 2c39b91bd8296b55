import { describe, type InstalledTap, TapSet } from '@teamfuse/adapter-kit';
import type { ChatAgent, Team, Workbench } from '@teamfuse/agentchat';
import { GuardInstallError } from '@teamfuse/core';
import { executorTap } from '../taps/executor-tap.ts';
import { inputTap } from '../taps/input-tap.ts';
import { modelTap } from '../taps/model-tap.ts';
import { agentRunTap, teamRunTap } from '../taps/run-tap.ts';
import { isAgent, isExecutor, isGroup, isModelClient, isWorkbench } from '../taps/shapes.ts';
import { turnTap } from '../taps/turn-tap.ts';
import { workbenchTap } from '../taps/workbench-tap.ts';
import { attempts } from './attempts.ts';
import { handoffNames, heedsNudges, membersOf, runnersOf } from './members.ts';
import type { TeamContext } from './team-context.ts';

/** Puts taps into a team and everything in it, and takes them off again. */
export class Installation {
  readonly #context: TeamContext;
  readonly #taps: TapSet;
  readonly #runnable: Set<object> = new Set();

  constructor(context: TeamContext) {
    this.#context = context;
    this.#taps = new TapSet(context);
  }

  get taps(): readonly InstalledTap[] {
    return this.#taps.all;
  }

  /** The agents that are tapped. */
  get agents(): readonly ChatAgent[] {
    return [...this.#taps.claimed].filter(isAgent);
  }

  /**
   * Taps a team and all that take part in it.
   * @throws {@link GuardInstallError} naming what is not as expected; some taps may be in place by then.
   */
  team(team: Team): void {
    const owner = `team '${team.name}'`;
    if (!this.#taps.claim(team, owner)) return;
    const { managerName } = team as { managerName?: unknown };
    const name = typeof managerName === 'string' ? managerName : team.name;
    for (const [member, value] of membersOf(team)) {
      if (!isModelClient(value)) continue;
      this.#replace(team, owner, member, modelTap(this.#context, value, { name, isManager: true }));
    }
    for (const participant of team.participants) this.#participant(participant, owner);
    const { run, runStream } = teamRunTap(this.#context, team);
    this.#replace(team, owner, 'runStream', runStream);
    this.#replace(team, owner, 'run', run);
  }

  /** Takes all taps off, the last first. */
  undo(): void {
    this.#taps.undo();
  }

  #participant(participant: unknown, team: string): void {
    if (isGroup(participant)) this.team(participant);
    else if (isAgent(participant)) this.#agent(participant);
    else {
      const expected = 'participants with onMessages and onMessagesStream, or teams';
      throw new GuardInstallError(team, `${expected}, received ${describe(participant)}`);
    }
  }

  #agent(agent: ChatAgent): void {
    const owner = `agent '${agent.name}'`;
    if (!this.#taps.claim(agent, owner)) return;
    let models = false;
    let code = false;
    for (const [member, value] of membersOf(agent)) {
      if (isModelClient(value)) {
        const tap = modelTap(this.#context, value, { name: agent.name, isManager: false });
        this.#replace(agent, owner, member, tap);
        models = true;
      } else if (isExecutor(value)) {
        this.#replace(agent, owner, member, executorTap(this.#context, value, agent.name));
        code = true;
      } else if (isWorkbench(value)) {
        this.#replace(agent, owner, member, this.#workbench(value, agent));
      } else if (Array.isArray(value) && value.length > 0 && value.every(isWorkbench)) {
        const taps = value.map((workbench) => this.#workbench(workbench, agent));
        this.#replace(agent, owner, member, taps);
      } else if (isGroup(value)) {
        this.team(value);
      } else if (isAgent(value)) {
        this.#agent(value);
      }
    }
    const input = inputTap(this.#context, agent);
    if (input !== undefined) this.#replace(agent, owner, 'inputFunc', input);
    const coverage = {
      models,
      code,
      handoffs: handoffNames(agent),
      heedsNudges: heedsNudges(agent),
    };
    const answering = {
      onMessages: agent.onMessages.bind(agent),
      onMessagesStream: agent.onMessagesStream.bind(agent),
    };
    const { onMessages, onMessagesStream } = turnTap(this.#context, agent, answering, coverage);
    this.#replace(agent, owner, 'onMessages', onMessages);
    this.#replace(agent, owner, 'onMessagesStream', onMessagesStream);
  }

  #workbench(workbench: Workbench, { name }: ChatAgent): Workbench {
    for (const runner of runnersOf(workbench)) {
      if (isGroup(runner)) this.team(runner);
      else if (isAgent(runner)) this.#runnableAgent(runner);
    }
    return workbenchTap(this.#context, workbench, name);
  }

  /** An agent that a tool puts to work by itself. */
  #runnableAgent(agent: ChatAgent): void {
    this.#agent(agent);
    if (this.#runnable.has(agent)) return;
    this.#runnable.add(agent);
    const owner = `agent '${agent.name}'`;
    const { run, runStream } = agentRunTap(this.#context, agent);
    this.#replace(agent, owner, 'run', run);
    this.#replace(agent, owner, 'runStream', runStream);
  }

  #replace(target: object, owner: string, member: string, value: unknown): void {
    this.#taps.replace(target, owner, member, value, attempts(target, member, value));
  }
}
