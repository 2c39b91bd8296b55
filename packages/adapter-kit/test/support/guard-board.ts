import type { Breaker } from '@teamfuse/core';
import * as kit from '../../src/index.ts';
import type { Blackboard, Expert, Note, Oracle } from './blackboard.ts';
import { callModel, callTool, runCode, takeTurn } from './steps.ts';

type Context = kit.GuardContext<{ notes: readonly Note[] }>;

/** Guards a blackboard with every expert at it. */
export function guardBoard(
  board: Blackboard,
  breaker: Breaker,
  options?: kit.GuardOptions,
): kit.Guard {
  const context: Context = new kit.GuardContext(kit.checkBreaker('board', breaker), options);
  return kit.installGuard(context, (taps) => {
    const model = modelOf(board);
    const experts = tapBoard(context, taps, board);
    const round = () => Promise.all(experts.map((expert) => expert.contribute([])));
    return { round, speakers: ['contribute'], model };
  });
}

/** The oracle of the first expert that has one, for a judge to ask. */
function modelOf({ experts }: Blackboard): kit.TeamModel | undefined {
  for (const { name: agent, skills } of experts) {
    const { oracle, board } = skills;
    const model = oracle ? { agent, client: judging(oracle) } : board && modelOf(board);
    if (model) return model;
  }
  return undefined;
}

/** An oracle in the form of a chat completion client. */
function judging(oracle: Oracle): kit.TeamModel['client'] {
  return {
    model: oracle.model,
    async create(messages: { content: string }[], { signal }: { signal?: AbortSignal }) {
      const prompts = messages.map(({ content }) => content);
      const { text, tokens } = await oracle.ask(prompts, signal);
      const usage = { promptTokens: tokens.inputTokens, completionTokens: tokens.outputTokens };
      return { content: text, usage };
    },
  };
}

function tapBoard(context: Context, taps: kit.TapSet, board: Blackboard): Expert[] {
  const { name, experts } = board;
  if (!taps.claim(board, name)) return [];
  const original = board.solve.bind(board);
  const solve: Blackboard['solve'] = (task, { signal } = {}) => {
    const local = { notes: [{ by: 'user', text: task }] as readonly Note[] };
    const work = () => original(task, { signal });
    const stopped = (trip: { reason: string }) => ({ notes: local.notes, outcome: trip.reason });
    return kit.runTeam(context, { name, task, signal, local, work, stopped });
  };
  taps.replace(board, name, 'solve', solve, [() => solve('')]);
  return experts.flatMap((expert) => tapExpert(context, taps, expert));
}

function tapExpert(context: Context, taps: kit.TapSet, expert: Expert): Expert[] {
  const { name: agent, skills } = expert;
  if (!taps.claim(expert, agent)) return [];
  const original = expert.contribute.bind(expert);
  const isReported = Boolean(skills.board ?? skills.shell ?? skills.ask);
  const said = (text: string) => (isReported && !context.isRehearsal ? undefined : text);
  const contribute: Expert['contribute'] = (notes, signal) => {
    if (context.scope?.local) context.scope.local.notes = notes;
    const work = () => original(notes, signal);
    return takeTurn(context, { agent, work, said, rehearsed: 'Thank you.' });
  };
  taps.replace(expert, agent, 'contribute', contribute, [() => contribute([])]);
  tapSkills(context, taps, expert);
  return [expert, ...(skills.board ? tapBoard(context, taps, skills.board) : [])];
}

function tapSkills(context: Context, taps: kit.TapSet, { name: agent, skills }: Expert): void {
  const { oracle, shell, ask, instruments } = skills;
  if (instruments) {
    const tapped: typeof instruments = {};
    for (const [tool, use] of Object.entries(instruments)) {
      tapped[tool] = (args, signal) =>
        callTool(context, {
          agent,
          tool,
          args,
          signal,
          refusedAs,
          work: (both) => use(args, both),
        });
    }
    const attempts = Object.values(tapped).map((use) => () => use({}));
    taps.replace(skills, agent, 'instruments', tapped, attempts);
  }
  if (oracle) {
    const tap: typeof oracle.ask = (notes, signal) => {
      const prompts = context.prompt(notes, (text) => text);
      const prompt = prompts.map((content) => ({ content }));
      const work = (both?: AbortSignal) => oracle.ask(prompts, both);
      const usageOf = ({ tokens }: Awaited<ReturnType<typeof tap>>) => tokens;
      const wholeTextOf = ({ text, wanted }: Awaited<ReturnType<typeof tap>>) =>
        wanted.length > 0 ? JSON.stringify(wanted) : text;
      const asked = { agent, model: oracle.model, prompt, signal };
      return callModel(context, { ...asked, work, usageOf, wholeTextOf });
    };
    taps.replace(skills, agent, 'oracle', kit.overlay(oracle, { ask: tap }), [() => tap([])]);
  }
  if (shell) {
    const tap: typeof shell = (block, signal) => {
      const work = (both?: AbortSignal) => shell(block, both);
      return runCode(context, { agent, block, signal, work, resultOf: (result) => result });
    };
    taps.replace(skills, agent, 'shell', tap, [() => tap({ language: '', code: '' })]);
  }
  if (ask) {
    const tap: typeof ask = (signal) => kit.askPerson(context, { agent, signal, work: ask });
    taps.replace(skills, agent, 'ask', tap);
  }
}

/** A call that is refused alone gives the reason. */
function refusedAs(text: string): string {
  return text;
}
