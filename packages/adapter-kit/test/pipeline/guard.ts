import * as kit from '@teamfuse/adapter-kit';
import type { Breaker, Trip } from '@teamfuse/core';
import { Announcer, Clerk, type Parcel, Pipeline, Runner, Thinker, Worker } from './framework.ts';

type Context = kit.GuardContext<{ parcels: readonly Parcel[] }>;

export function guardPipeline(
  line: Pipeline,
  breaker: Breaker,
  options?: kit.GuardOptions,
): kit.Guard {
  const context: Context = new kit.GuardContext(kit.checkBreaker('pipeline', breaker), options);
  return kit.installGuard(context, (taps) => {
    tapWorker(context, taps, line);
    const workers = [...taps.claimed].filter((one) => one instanceof Worker);
    const round = () => Promise.all(workers.map((worker) => worker.handle({ parcels: [] })));
    return { round, heard: ['handle'] };
  });
}

function tapWorker(context: Context, taps: kit.TapSet, worker: Worker): void {
  const { name: agent } = worker;
  if (!taps.claim(worker, agent)) return;
  const original = worker.handle.bind(worker);
  const speaks = worker instanceof Announcer || worker instanceof Thinker;
  const said = (text: string) => (speaks ? text : undefined);
  const handle: typeof original = (job) => {
    if (context.scope?.local) context.scope.local.parcels = job.parcels;
    return kit.takeTurn(context, { agent, work: () => original(job), said, rehearsed: 'Thanks.' });
  };
  taps.replace(worker, agent, 'handle', handle, [() => handle({ parcels: [] })]);
  if (worker instanceof Pipeline) tapPipeline(context, taps, worker);
  if (worker instanceof Thinker) tapThinker(context, taps, worker);
  if (worker instanceof Runner) {
    const run = worker.gear.execute.bind(worker.gear);
    const resultOf = (result: Awaited<ReturnType<typeof run>>) => result;
    const execute: typeof run = (block, signal) =>
      kit.runCode(context, { agent, block, signal, work: (both) => run(block, both), resultOf });
    taps.replace(worker.gear, agent, 'execute', execute, [
      () => execute({ language: '', code: '' }),
    ]);
  }
  if (worker instanceof Clerk) {
    const wait = worker.gear.ask.bind(worker.gear);
    const ask: typeof wait = (signal) =>
      kit.askPerson(context, { agent, work: () => wait(context.abortSignal(signal)) });
    taps.replace(worker.gear, agent, 'ask', ask, [() => ask()]);
  }
}

function tapPipeline(context: Context, taps: kit.TapSet, line: Pipeline): void {
  const { name } = line;
  const original = line.run.bind(line);
  const run: typeof original = (task, tokens, signal) => {
    const [local, work] = [
      { parcels: [] as readonly Parcel[] },
      () => original(task, tokens, signal),
    ];
    const stopped = ({ reason }: Trip) => ({ parcels: local.parcels, outcome: reason });
    return kit.runTeam(context, { name, task, signal, local, work, stopped });
  };
  taps.replace(line, name, 'run', run, [() => run('')]);
  for (const worker of line.gear.workers) tapWorker(context, taps, worker);
}

function tapThinker(context: Context, taps: kit.TapSet, thinker: Thinker): void {
  const { name: agent, gear } = thinker;
  const original = thinker.think.bind(thinker);
  const think: typeof original = (given, tokens, signal) => {
    const nudge = context.takeNudge();
    const parcels = nudge ? [...given, { from: kit.NUDGE_AUTHOR, text: nudge }] : given;
    return kit.callModel(context, {
      agent,
      model: gear.engine.id,
      prompt: parcels.map(({ from: name, text: content }) => ({ name, content })),
      signal,
      work: (both) => original(parcels, tokens, both),
      usageOf: ({ took }) => took && { inputTokens: took.read, outputTokens: took.written },
    });
  };
  taps.replace(thinker, agent, 'think', think, [() => think([])]);
  for (const [tool, use] of Object.entries(gear.tools)) {
    const tap: typeof use = (args, signal) =>
      kit.callTool(context, { agent, tool, args, signal, work: (both) => use(args, both) });
    taps.replace(gear.tools, agent, tool, tap, [() => tap({})]);
  }
}
