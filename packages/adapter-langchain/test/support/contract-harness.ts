import { AIMessage, type BaseMessage, HumanMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { Annotation, END, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph';
import { createReactAgent } from '@langchain/langgraph/prebuilt';
import { tripIn } from '@teamfuse/adapter-kit';
import type { Breaker } from '@teamfuse/core';
import {
  type AdapterHarness,
  type MemberScript,
  MODEL,
  type RunEnd,
  type Stage,
  type TeamScript,
  toolsOf,
} from '@teamfuse/testing/adapters';
import { createAgent } from 'langchain';
import { z } from 'zod';
import { type GuardableGraph, guardGraph, type RunConfig, tripOf } from '../../src/index.ts';
import { ScriptedModel } from './scripted-model.ts';

/** How an agent is made. */
export type Maker = 'createAgent' | 'createReactAgent';

/** How a graph is run. */
export type Way = 'invoke' | 'stream';

/** Graphs whose nodes take turns, for the contract. */
export function contractHarness(maker: Maker, way: Way): AdapterHarness {
  return {
    lacks: {
      'last-answer': 'a callback cannot change a call',
      code: 'code is run by a tool',
      'before-code': 'code is run by a tool',
      nudge: 'a callback cannot add to a prompt',
      person: 'a run ends where a person is asked, and goes on as another run',
    },
    build(script, stage) {
      const made = new Map<string, Parts>();
      const graph = graphOf(script, { stage, maker, made });
      const names = new Map<Breaker, string>();
      return {
        parts: [graph],
        guard(breaker, options) {
          const conversation = names.get(breaker) ?? nextName(breaker);
          names.set(breaker, conversation);
          const [judgeModel] = [...made.values()].map(({ model }) => model);
          const models = judgeModel !== undefined && { judgeModel };
          return guardGraph(graph, breaker, { conversation, ...models, ...options });
        },
        run: (task, { signal }) => run(graph, way, task, signal),
        breakTap() {
          Object.assign(graph, { stream: async () => new ReadableStream() });
          return 'stream';
        },
      };
    },
  };
}

const teams: WeakMap<Breaker, number> = new WeakMap();

/** The first team of a breaker has its main conversation. */
function nextName(breaker: unknown): string {
  const number = (typeof breaker === 'object' && teams.get(breaker as Breaker)) || 0;
  if (typeof breaker === 'object') teams.set(breaker as Breaker, number + 1);
  return number === 0 ? '' : `team ${number}`;
}

interface Setting {
  readonly stage: Stage;
  readonly maker: Maker;
  readonly made: Map<string, Parts>;
}

interface Parts {
  readonly model: ScriptedModel;
  readonly tools: readonly ReturnType<typeof scriptedTool>[];
}

const State = Annotation.Root({
  ...MessagesAnnotation.spec,
  at: Annotation<number>({ reducer: (_, next) => next, default: () => 0 }),
});

function graphOf({ name, members, turns }: TeamScript, setting: Setting): GuardableGraph {
  const graph = new StateGraph(State) as unknown as AnyGraph;
  const next = ({ at }: typeof State.State): string =>
    at < turns ? (members[at % members.length]?.name ?? END) : END;
  for (const member of members) {
    const act = turnOf(member, setting);
    graph.addNode(member.name, async ({ messages, at }, config) => {
      const said = await act(messages, config);
      return { messages: [new AIMessage({ content: said, name: member.name })], at: at + 1 };
    });
    graph.addConditionalEdges(member.name, next);
  }
  graph.addConditionalEdges(START, next);
  return graph.compile({ name });
}

interface AnyGraph {
  addNode(name: string, run: (state: typeof State.State, config: RunConfig) => unknown): unknown;
  addConditionalEdges(from: string, next: (state: typeof State.State) => string): unknown;
  compile(options: { readonly name: string }): GuardableGraph;
}

type Turn = (messages: readonly BaseMessage[], config: RunConfig) => Promise<string>;

function turnOf(member: MemberScript, setting: Setting): Turn {
  const { stage, maker, made } = setting;
  const { name } = member;
  if (member.kind === 'assistant') {
    const parts = made.get(member.sharedWith ?? name) ?? {
      model: new ScriptedModel(MODEL, (texts, signal) => stage.model(name, texts, signal)),
      tools: toolsOf(member).map((called) => scriptedTool(stage, name, called)),
    };
    made.set(name, parts);
    const agent = agentOf(maker, name, parts);
    return async (messages, config) => {
      const result = await agent.invoke({ messages }, config);
      return textOf((result as { messages: BaseMessage[] }).messages.at(-1));
    };
  }
  if (member.kind === 'team') {
    const inner = graphOf(member, setting);
    return async (_, config) => {
      const result = await inner.invoke({ messages: [new HumanMessage('Go on.')] }, config);
      return textOf((result as { messages: BaseMessage[] }).messages.at(-1));
    };
  }
  return () => stage.speak(name);
}

function agentOf(maker: Maker, name: string, { model, tools }: Parts): GuardableGraph {
  const made =
    maker === 'createAgent'
      ? createAgent({ name, model, tools: [...tools] })
      : createReactAgent({ name, llm: model, tools: [...tools] });
  return made as unknown as GuardableGraph;
}

function scriptedTool(stage: Stage, owner: string, name: string) {
  const schema = z.record(z.string(), z.string());
  return tool((_args, config) => stage.tool(owner, name, config.signal), {
    name,
    description: 'A tool.',
    schema,
  });
}

async function run(
  graph: GuardableGraph,
  way: Way,
  task: string,
  signal: AbortSignal | undefined,
): Promise<RunEnd> {
  const input = { messages: [new HumanMessage(task)], at: 0 };
  const config = { signal, streamMode: 'values', recursionLimit: 200 };
  try {
    const result = await (way === 'invoke'
      ? graph.invoke(input, config)
      : lastOf(await graph.stream(input, config)));
    const { messages } = result as { readonly messages: readonly BaseMessage[] };
    return { texts: messages.map(textOf), stopReason: tripOf(result as object)?.reason };
  } catch (error) {
    const trip = signal?.aborted ? undefined : tripIn(error);
    if (trip === undefined) throw error;
    return { texts: [task], stopReason: trip.reason };
  }
}

async function lastOf(stream: ReadableStream): Promise<unknown> {
  let last: unknown;
  for await (const item of stream as unknown as AsyncIterable<unknown>) last = item;
  return last;
}

function textOf(message: BaseMessage | undefined): string {
  return message?.text ?? '';
}
