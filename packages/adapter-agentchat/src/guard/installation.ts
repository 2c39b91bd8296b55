import { describe, type Replacement, replaceMember } from '@teamfuse/adapter-kit';
import type { ChatAgent, Team, Workbench } from '@teamfuse/agentchat';
import { GuardInstallError } from '@teamfuse/core';
import { executorTap } from '../taps/executor-tap.ts';
import { modelTap } from '../taps/model-tap.ts';
import { agentRunTap, teamRunTap } from '../taps/run-tap.ts';
import { isAgent, isExecutor, isGroup, isModelClient, isWorkbench } from '../taps/shapes.ts';
import { turnTap } from '../taps/turn-tap.ts';
import { workbenchTap } from '../taps/workbench-tap.ts';
import { handoffNames, heedsNudges, membersOf, runnersOf } from './members.ts';
import type { TeamContext } from './team-context.ts';

/** A tap in a member of something. */
export interface InstalledTap extends Replacement {
  readonly target: object;
  readonly owner: string;
  readonly member: string;
}

/** Puts taps into a team and everything in it, and takes them off again. */
export class Installation {
  readonly taps: InstalledTap[] = [];
  readonly #context: TeamContext;
  readonly #guarded: Set<object> = new Set();
  readonly #runnable: Set<object> = new Set();

  constructor(context: TeamContext) {
    this.#context = context;
  }

  /** Everything that is tapped. */
  get guarded(): ReadonlySet<object> {
    return this.#guarded;
  }

  /**
   * Taps a team and all that take part in it.
   * @throws {@link GuardInstallError} naming what is not as expected; some taps may be in place by then.
   */
  team(team: Team): void {
    const owner = `team '${team.name}'`;
    if (!this.#claim(team, owner)) return;
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
    for (const tap of this.taps.splice(0).reverse()) tap.undo();
    for (const target of this.#guarded) this.#context.shared.guarded.delete(target);
    this.#guarded.clear();
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
    if (!this.#claim(agent, owner)) return;
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

  /** Says whether the target is to be tapped now; it may take part in several places. */
  #claim(target: object, owner: string): boolean {
    if (this.#guarded.has(target)) return false;
    const { guarded } = this.#context.shared;
    if (guarded.has(target)) {
      throw new GuardInstallError(owner, 'nothing that this breaker guards already');
    }
    guarded.add(target);
    this.#guarded.add(target);
    return true;
  }

  #replace(target: object, owner: string, member: string, value: unknown): void {
    this.taps.push({ target, owner, member, ...replaceMember(target, owner, member, value) });
  }
}
