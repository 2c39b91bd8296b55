import * as kit from '@teamfuse/adapter-kit';
import type { Breaker, TokenUsage, Trip } from '@teamfuse/core';
import * as fw from './framework.ts';

type Parcels = readonly fw.Parcel[];
type Context = kit.GuardContext<{ parcels: Parcels }>;
const nothing = (): fw.Job => ({ parcels: [], tokens: new fw.EventQueue() });

export function guardPipeline(pipeline: fw.Pipeline, breaker: Breaker, options?: kit.GuardOptions) {
  const context: Context = new kit.GuardContext(kit.checkBreaker('pipeline', breaker), options);
  return kit.installGuard(context, (taps) => {
    const workers = tapWorker(context, taps, pipeline);
    const round = () => Promise.all(workers.map((worker) => worker.handle(nothing())));
    return { round, heard: ['handle'] };
  });
}

/** Gives everyone who takes turns, the pipelines included. */
function tapWorker(context: Context, taps: kit.TapSet, worker: fw.Worker): readonly fw.Worker[] {
  const { name: agent } = worker;
  if (!taps.claim(worker, agent)) return [];
  const original = worker.handle.bind(worker);
  const speaks = worker instanceof fw.Announcer || worker instanceof fw.Thinker;
  const handle = (job: fw.Job) => {
    if (context.scope?.local) context.scope.local.parcels = job.parcels;
    const [work, said] = [() => original(job), (text: string) => (speaks ? text : undefined)];
    return kit.takeTurn(context, { agent, work, said, rehearsed: 'Thank you.' });
  };
  taps.replace(worker, agent, 'handle', handle, [() => handle(nothing())]);
  if (worker instanceof fw.Thinker) tapThinker(context, taps, agent, worker.gear);
  if (worker instanceof fw.Runner) tapRunner(context, taps, agent, worker.gear);
  if (worker instanceof fw.Clerk) tapClerk(context, taps, agent, worker.gear);
  if (!(worker instanceof fw.Pipeline)) return [worker];
  const line = worker.run.bind(worker);
  const run: typeof line = (task, tokens, signal) => {
    const [local, work] = [{ parcels: [] as Parcels }, () => line(task, tokens, signal)];
    const stopped = ({ reason }: Trip) => ({ parcels: local.parcels, outcome: reason });
    return kit.runTeam(context, { name: agent, task, signal, local, work, stopped });
  };
  taps.replace(worker, agent, 'run', run, [() => run('')]);
  return [worker, ...worker.gear.workers.flatMap((inner) => tapWorker(context, taps, inner))];
}

type Gear<W extends fw.Worker> = W['gear'];

function tapThinker(
  context: Context,
  taps: kit.TapSet,
  agent: string,
  { engine, tools }: Gear<fw.Thinker>,
) {
  const original = engine.stream.bind(engine);
  const stream = async function* (given: Parcels, signal?: AbortSignal): AsyncGenerator<fw.Token> {
    const nudge = context.takeNudge();
    const parcels = nudge ? [...given, { from: kit.NUDGE_AUTHOR, text: nudge }] : given;
    const prompt = parcels.map(({ from: name, text: content }) => ({ name, content }));
    const call = await kit.ModelCall.begin(context, { agent, model: engine.id, prompt, signal });
    const open = () => original(parcels, context.abortSignal(signal));
    let usage: TokenUsage | undefined;
    try {
      for await (const token of context.leafStream(context.scope, open)) {
        if ('took' in token) usage = token.took;
        yield token;
      }
      call.answered(usage);
    } catch (error) {
      call.failed(error);
      throw error;
    } finally {
      call.left();
    }
  };
  taps.replace(engine, agent, 'stream', stream, [() => stream([]).next()]);
  for (const [tool, use] of Object.entries(tools)) {
    const tap: typeof use = (args, signal) =>
      kit.callTool(context, { agent, tool, args, signal, work: (both) => use(args, both) });
    taps.replace(tools, agent, tool, tap, [() => tap({})]);
  }
}

function tapRunner(context: Context, taps: kit.TapSet, agent: string, machine: fw.Machine) {
  const original = machine.execute.bind(machine);
  const execute: typeof original = (block, signal) => {
    const work = (both?: AbortSignal) => original(block, both);
    return kit.runCode(context, { agent, block, signal, work, resultOf: (result) => result });
  };
  taps.replace(machine, agent, 'execute', execute, [() => execute({ language: '', code: '' })]);
}

function tapClerk(context: Context, taps: kit.TapSet, agent: string, clerk: Gear<fw.Clerk>) {
  const original = clerk.ask.bind(clerk);
  const ask: typeof original = (signal) =>
    kit.askPerson(context, { agent, work: () => original(context.abortSignal(signal)) });
  taps.replace(clerk, agent, 'ask', ask, [() => ask()]);
}
