import {
  type AdapterHarness,
  type MemberScript,
  MODEL,
  type Stage,
  type TeamScript,
  toolsOf,
} from '@teamfuse/testing/adapters';
import * as fw from './framework.ts';
import { guardPipeline } from './guard.ts';

export const harness: AdapterHarness = {
  lacks: {
    'last-answer': 'an engine takes neither tools nor a bound',
    schema: 'a tool checks its arguments itself',
    'missing-tool': 'a call of a tool that there is not is passed over',
  },
  build(script, stage) {
    const pipeline = pipelineOf(script, stage);
    return {
      guard: (breaker, options) => guardPipeline(pipeline, breaker, options),
      async run(task, { signal }) {
        const { parcels, outcome } = await pipeline.run(task, undefined, signal);
        return { texts: parcels.map(({ text }) => text), stopReason: outcome };
      },
      parts: partsOf(pipeline),
      breakTap() {
        Object.assign(pipeline.gear.workers[0] ?? {}, { handle: async () => 'unheard' });
        return 'handle';
      },
    };
  },
};

function pipelineOf({ name, members, turns: hops }: TeamScript, stage: Stage): fw.Pipeline {
  const workers: fw.Worker[] = [];
  for (const member of members) workers.push(workerOf(member, stage, workers));
  return new fw.Pipeline(name, { workers, hops });
}

function workerOf(member: MemberScript, stage: Stage, others: readonly fw.Worker[]): fw.Worker {
  const { name } = member;
  switch (member.kind) {
    case 'speaker':
      return new fw.Announcer(name, { announce: () => stage.speak(name) });
    case 'assistant': {
      const sharing = others.find((one) => one.name === member.sharedWith);
      if (sharing instanceof fw.Thinker) return new fw.Thinker(name, { ...sharing.gear });
      return new fw.Thinker(name, {
        engine: engineOf(name, stage),
        tools: toolBox(name, toolsOf(member), stage),
      });
    }
    case 'coder':
      return new fw.Runner(name, {
        approve: () => stage.beforeCode(name),
        execute: (_block, signal) => stage.code(name, signal),
      });
    case 'person':
      return new fw.Clerk(name, { ask: (signal) => stage.person(name, signal) });
    case 'team':
      return pipelineOf(member, stage);
  }
}

function engineOf(name: string, stage: Stage): fw.Engine {
  return {
    id: MODEL,
    async *stream(prompt, signal) {
      const texts = prompt.map(({ text }) => text);
      const { text, calls, usage } = await stage.model(name, texts, signal);
      for (const word of text.split(/(?<= )/)) yield { text: word };
      for (const { tool, args } of calls) yield { want: { tool, args } };
      yield { took: usage };
    },
  };
}

function toolBox(name: string, tools: readonly string[], stage: Stage): fw.Tools {
  const use =
    (tool: string): fw.Tools[string] =>
    (_args, signal) =>
      stage.tool(name, tool, signal);
  return Object.fromEntries(tools.map((tool) => [tool, use(tool)]));
}

function partsOf(worker: fw.Worker): readonly object[] {
  const parts = [worker, worker.gear];
  if (worker instanceof fw.Thinker) parts.push(worker.gear.engine, worker.gear.tools);
  if (worker instanceof fw.Pipeline) parts.push(...worker.gear.workers.flatMap(partsOf));
  return parts;
}
