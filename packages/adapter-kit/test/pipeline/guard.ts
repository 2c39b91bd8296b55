import * as kit from '@teamfuse/adapter-kit';
import type { Breaker, TokenUsage, Trip } from '@teamfuse/core';
import {
  Clerk,
  type Engine,
  EventQueue,
  type Job,
  type Parcel,
  Pipeline,
  Runner,
  Thinker,
  type Tools,
  type Worker,
} from './framework.ts';

type Context = kit.GuardContext<{ parcels: readonly Parcel[] }>;
type Tap = { readonly context: Context; readonly taps: kit.TapSet };

export function guardPipeline(
  pipeline: Pipeline,
  breaker: Breaker,
  options?: kit.GuardOptions,
): kit.Guard {
  const context: Context = new kit.GuardContext(kit.checkBreaker('pipeline', breaker), options);
  return kit.installGuard(context, (taps) => {
    const workers = tapPipeline({ context, taps }, pipeline);
    const round = () => Promise.all(workers.map((worker) => worker.handle(nothing())));
    return { round, heard: ['handle'] };
  });
}

const nothing = (): Job => ({ parcels: [], tokens: new EventQueue() });

/** Gives the workers that take turns. */
function tapPipeline(tap: Tap, pipeline: Pipeline): readonly Worker[] {
  const { context, taps } = tap;
  const { name } = pipeline;
  if (!taps.claim(pipeline, name)) return [];
  const original = pipeline.run.bind(pipeline);
  const run: Pipeline['run'] = (task, tokens, signal) => {
    const local = { parcels: [] as readonly Parcel[] };
    const work = () => original(task, tokens, signal);
    const stopped = ({ reason }: Trip) => ({ parcels: local.parcels, outcome: reason });
    return kit.runTeam(context, { name, task, signal, local, work, stopped });
  };
  taps.replace(pipeline, name, 'run', run, [() => run('')]);
  return pipeline.workers.flatMap((worker) => tapWorker(tap, worker));
}

function tapWorker(tap: Tap, worker: Worker): readonly Worker[] {
  const { context, taps } = tap;
  const { name: agent } = worker;
  const inner = worker instanceof Pipeline ? tapPipeline(tap, worker) : undefined;
  if (!inner && !taps.claim(worker, agent)) return [];
  const original = worker.handle.bind(worker);
  const said = (text: string) =>
    worker instanceof Runner || worker instanceof Clerk || inner ? undefined : text;
  const handle: Worker['handle'] = (job) => {
    if (context.scope?.local) context.scope.local.parcels = job.parcels;
    return kit.takeTurn(context, {
      agent,
      work: () => original(job),
      said,
      rehearsed: 'Thank you.',
    });
  };
  taps.replace(worker, agent, 'handle', handle, [() => handle(nothing())]);
  if (worker instanceof Thinker) {
    tapEngine(tap, worker.engine, agent);
    tapTools(tap, worker.tools, agent);
  } else if (worker instanceof Runner) {
    const execute = worker.execute.bind(worker);
    const guarded: typeof execute = (language, code, signal) =>
      kit.runCode(context, {
        agent,
        block: { language, code },
        signal,
        work: (both) => execute(language, code, both),
        resultOf: ({ exit, printed }) => ({ exitCode: exit, output: printed }),
      });
    taps.replace(worker, agent, 'execute', guarded, [() => guarded('', '')]);
  } else if (worker instanceof Clerk) {
    const ask = worker.ask.bind(worker);
    taps.replace(worker, agent, 'ask', () => kit.askPerson(context, { agent, work: ask }));
  }
  return inner ?? [worker];
}

function tapEngine({ context, taps }: Tap, engine: Engine, agent: string): void {
  const original = engine.stream.bind(engine);
  async function* stream(prompt: readonly Parcel[], signal?: AbortSignal) {
    const nudge = context.takeNudge();
    const full = nudge ? [...prompt, { from: kit.NUDGE_AUTHOR, text: nudge }] : prompt;
    const info = {
      agent,
      model: engine.id,
      prompt: full.map(({ from, text }) => ({ name: from, content: text })),
      signal,
    };
    const call = await kit.ModelCall.begin(context, info);
    let usage: TokenUsage | undefined;
    try {
      for await (const token of context.leafStream(context.scope, () =>
        original(full, context.abortSignal(signal)),
      )) {
        if ('took' in token) usage = { inputTokens: token.took[0], outputTokens: token.took[1] };
        yield token;
      }
      call.answered(usage);
    } catch (error) {
      call.failed(error);
      throw error;
    } finally {
      call.left();
    }
  }
  taps.replace(engine, agent, 'stream', stream, [() => stream([]).next()]);
}

function tapTools({ context, taps }: Tap, tools: Tools, agent: string): void {
  for (const [tool, use] of Object.entries(tools)) {
    const guarded: typeof use = (args, signal) =>
      kit.callTool(context, { agent, tool, args, signal, work: (both) => use(args, both) });
    taps.replace(tools, agent, tool, guarded, [() => guarded({})]);
  }
}
