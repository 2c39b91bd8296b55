import {
  type AdapterHarness,
  type MemberScript,
  MODEL,
  type Stage,
  type TeamScript,
  toolsOf,
} from '@teamfuse/adapter-kit/testing';
import {
  Clerk,
  type Engine,
  type Parcel,
  Pipeline,
  Runner,
  Thinker,
  type Token,
  type Tools,
  type Worker,
} from './framework.ts';
import { guardPipeline } from './guard.ts';

export const harness: AdapterHarness = {
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
        const [first] = pipeline.workers;
        if (first) first.handle = async () => 'nobody hears this';
        return 'handle';
      },
    };
  },
};

function pipelineOf({ name, members, turns }: TeamScript, stage: Stage): Pipeline {
  return new Pipeline(
    name,
    members.map((member) => workerOf(member, stage)),
    turns,
  );
}

function workerOf(member: MemberScript, stage: Stage): Worker {
  const { name } = member;
  switch (member.kind) {
    case 'speaker':
      return { name, handle: () => stage.speak(name) };
    case 'assistant':
      return new Thinker(name, engineOf(name, stage), boxOf(name, toolsOf(member), stage));
    case 'coder':
      return new Runner(
        name,
        async (_language, _code, signal) => {
          const { exitCode, output } = await stage.code(name, signal);
          return { exit: exitCode, printed: output };
        },
        () => stage.beforeCode(name),
      );
    case 'person':
      return new Clerk(name, (signal) => stage.person(name, signal));
    case 'team':
      return pipelineOf(member, stage);
  }
}

function engineOf(name: string, stage: Stage): Engine {
  return {
    id: MODEL,
    async *stream(prompt: readonly Parcel[], signal?: AbortSignal): AsyncGenerator<Token> {
      const { text, calls, usage } = await stage.model(
        name,
        prompt.map((parcel) => parcel.text),
        signal,
      );
      for (const word of text.split(/(?<= )/)) yield { text: word };
      for (const { tool, args } of calls) yield { want: { tool, args } };
      yield { took: [usage.inputTokens, usage.outputTokens] };
    },
  };
}

function boxOf(name: string, tools: readonly string[], stage: Stage): Tools {
  return Object.fromEntries(
    tools.map((tool) => [
      tool,
      (_args: object, signal?: AbortSignal) => stage.tool(name, tool, signal),
    ]),
  );
}

function partsOf(pipeline: Pipeline): readonly object[] {
  const inside = pipeline.workers.flatMap((worker) => {
    if (worker instanceof Pipeline) return partsOf(worker);
    return worker instanceof Thinker ? [worker, worker.engine, worker.tools] : [worker];
  });
  return [pipeline, ...inside];
}
