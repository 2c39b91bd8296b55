import * as kit from '@teamfuse/adapter-kit';
import type { Breaker, Trip } from '@teamfuse/core';
import * as fw from './framework.ts';

type Options = kit.GuardOptions;
type Context = kit.GuardContext<{ parcels: readonly fw.Parcel[] }>;

export function guardPipeline(line: fw.Pipeline, breaker: Breaker, options?: Options): kit.Guard {
  const context: Context = new kit.GuardContext(kit.checkBreaker('pipeline', breaker), options);
  return kit.installGuard(context, (taps) => {
    const model = modelOf(line);
    tapWorker(context, taps, line);
    const workers = [...taps.claimed].filter((one) => one instanceof fw.Worker);
    const round = () => Promise.all(workers.map((worker) => worker.handle({ parcels: [] })));
    return { round, speakers: ['handle'], model };
  });
}

/** The first engine in line, for a judge to ask. */
function modelOf({ gear }: fw.Pipeline): kit.TeamModel | undefined {
  for (const worker of gear.workers) {
    if (worker instanceof fw.Thinker) return { agent: worker.name, client: judging(worker) };
    const inner = worker instanceof fw.Pipeline ? modelOf(worker) : undefined;
    if (inner) return inner;
  }
  return undefined;
}

/** An engine in the form of a chat completion client: it puts the answer together as its worker does. */
function judging({ name, gear }: fw.Thinker): kit.TeamModel['client'] {
  const thinker = new fw.Thinker(name, gear);
  return {
    model: gear.engine.id,
    async create(messages: { content: string }[], { signal }: { signal?: AbortSignal }) {
      const parcels = messages.map(({ content: text }) => ({ from: 'judge', text }));
      const { text, took } = await thinker.think(parcels, undefined, signal);
      const { inputTokens = 0, outputTokens = 0 } = took ?? {};
      return {
        content: text,
        usage: { promptTokens: inputTokens, completionTokens: outputTokens },
      };
    },
  };
}

function tapWorker(context: Context, taps: kit.TapSet, worker: fw.Worker): void {
  const { name: agent } = worker;
  if (!taps.claim(worker, agent)) return;
  const original = worker.handle.bind(worker);
  const speaks = worker instanceof fw.Announcer || worker instanceof fw.Thinker;
  const said = (text: string) => (speaks || context.isRehearsal ? text : undefined);
  const handle: typeof original = (job) => {
    if (context.scope?.local) context.scope.local.parcels = job.parcels;
    const turn = kit.turn({ agent, said, rehearsed: 'Thanks.' });
    return kit.call(context, turn, () => original(job));
  };
  taps.replace(worker, agent, 'handle', handle, [() => handle({ parcels: [] })]);
  if (worker instanceof fw.Pipeline) {
    const line = worker.run.bind(worker);
    const run: typeof line = (task, tokens, signal) => {
      const local = { parcels: [] as readonly fw.Parcel[] };
      const work = () => line(task, tokens, signal);
      const stopped = ({ reason }: Trip) => ({ parcels: local.parcels, outcome: reason });
      return kit.runTeam(context, { name: agent, task, signal, local, work, stopped });
    };
    taps.replace(worker, agent, 'run', run, [() => run('')]);
    for (const inner of worker.gear.workers) tapWorker(context, taps, inner);
  }
  if (worker instanceof fw.Thinker) tapThinker(context, taps, worker);
  if (worker instanceof fw.Runner) {
    const run = worker.gear.execute.bind(worker.gear);
    const tap: typeof run = (block, signal) => {
      const step = kit.codeRun({
        agent,
        block,
        signal,
        resultOf: (result: Awaited<ReturnType<typeof run>>) => result,
      });
      return kit.call(context, step, (both) => run(block, both));
    };
    taps.replace(worker.gear, agent, 'execute', tap, [() => tap({ language: '', code: '' })]);
  }
  if (worker instanceof fw.Clerk) {
    const wait = worker.gear.ask.bind(worker.gear);
    const ask: typeof wait = (signal) => kit.askPerson(context, { agent, signal, work: wait });
    taps.replace(worker.gear, agent, 'ask', ask);
  }
}

function tapThinker(context: Context, taps: kit.TapSet, thinker: fw.Thinker): void {
  const { name: agent, gear } = thinker;
  const original = thinker.think.bind(thinker);
  const think: typeof original = (given, tokens, signal) => {
    const parcels = context.prompt(given, (text) => ({ from: kit.NUDGE_AUTHOR, text }));
    const prompt = parcels.map(({ from: name, text: content }) => ({ name, content }));
    const usageOf = ({ took }: fw.Thought) => took;
    const wholeTextOf = ({ text, wants }: fw.Thought) =>
      wants.length > 0 ? JSON.stringify(wants) : text;
    const asked = { agent, model: gear.engine.id, prompt, signal };
    const step = kit.modelCall({ ...asked, usageOf, wholeTextOf });
    return kit.call(context, step, (both) => original(parcels, tokens, both));
  };
  taps.replace(thinker, agent, 'think', think, [() => think([])]);
  const tools: fw.Tools = {};
  for (const [tool, use] of Object.entries(gear.tools)) {
    tools[tool] = (args, signal) =>
      kit.call(context, kit.toolCall({ agent, tool, args, signal, refusedAs }), (both) =>
        use(args, both),
      );
  }
  const attempts = Object.values(tools).map((use) => () => use({}));
  taps.replace(gear, agent, 'tools', tools, attempts);
}

/** A call that is refused alone gives the reason. */
function refusedAs(text: string): string {
  return text;
}
