import type { Breaker } from '@teamfuse/core';
import {
  type AdapterHarness,
  type MemberScript,
  MODEL,
  type Stage,
  type TeamScript,
  toolsOf,
} from '@teamfuse/testing/adapters';
import type { Guard, GuardOptions } from '../../src/index.ts';
import { Blackboard, Expert, type Skills } from './blackboard.ts';

type Install = (board: Blackboard, breaker: Breaker, options: GuardOptions) => Guard;

/** Builds blackboards for the contract, under this guard. */
export function boardHarness(install: Install): AdapterHarness {
  return {
    lacks: {
      'last-answer': 'an oracle takes neither tools nor a bound',
      schema: 'a tool checks its arguments itself',
      'missing-tool': 'a call of a tool that there is not is passed over',
    },
    build(script, stage) {
      const parts: object[] = [];
      const board = boardOf(script, stage, parts);
      return {
        parts,
        guard: (breaker, options) => install(board, breaker, options),
        async run(task, options) {
          const { notes, outcome } = await board.solve(task, options);
          return { texts: notes.map(({ text }) => text), stopReason: outcome };
        },
        breakTap() {
          for (const { skills } of board.experts) {
            if (skills.oracle) Object.assign(skills, { oracle: { ...skills.oracle } });
          }
          return 'oracle';
        },
      };
    },
  };
}

function boardOf({ name, members, turns }: TeamScript, stage: Stage, parts: object[]): Blackboard {
  const experts: Expert[] = [];
  for (const member of members) {
    experts.push(new Expert(member.name, skillsOf(member, { stage, parts, experts })));
  }
  const board = new Blackboard(name, experts, turns);
  parts.push(board, ...experts, ...experts.map(({ skills }) => skills));
  return board;
}

interface Setting {
  readonly stage: Stage;
  readonly parts: object[];
  /** Those who are at the board already. */
  readonly experts: readonly Expert[];
}

function skillsOf(member: MemberScript, { stage, parts, experts }: Setting): Skills {
  const { name } = member;
  switch (member.kind) {
    case 'team':
      return { board: boardOf(member, stage, parts) };
    case 'speaker':
      return { know: () => stage.speak(name) };
    case 'person':
      return { ask: (signal) => stage.person(name, signal) };
    case 'coder':
      return {
        approve: () => stage.beforeCode(name),
        shell: (_, signal) => stage.code(name, signal),
      };
    case 'assistant': {
      const sharing = experts.find((expert) => expert.name === member.sharedWith);
      if (sharing !== undefined) return { ...sharing.skills };
      return {
        instruments: Object.fromEntries(
          toolsOf(member).map((tool) => [tool, (_, signal) => stage.tool(name, tool, signal)]),
        ),
        oracle: {
          model: MODEL,
          async ask(prompts, signal) {
            const { text, calls, usage } = await stage.model(name, prompts, signal);
            return { text, wanted: calls, tokens: usage };
          },
        },
      };
    }
  }
}
