// What a guard adds to a step of an agent whose model answers at once, and whether memory stays flat.
// Run: npm run bench:adapters
import { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { AIMessage } from '@langchain/core/messages';
import { guardGraph, guardMiddleware } from '@teamfuse/adapter-langchain';
import { Breaker } from '@teamfuse/core';
import { createAgent, tool } from 'langchain';
import { z } from 'zod';
import { timeSteps, weighRuns } from '../../adapter-kit/bench/steps.js';

const STEPS = 10;
const INPUT = { messages: [{ role: 'user', content: 'Look.' }] };

let call = 0;

/** Looks at another place in each step, and is done after the last one. */
class Model extends BaseChatModel {
  constructor() {
    super({});
  }
  _llmType() {
    return 'bench';
  }
  bindTools() {
    return this;
  }
  async _generate(messages) {
    const isDone = messages.length >= 2 * STEPS - 1;
    const tool_calls = isDone ? [] : [{ id: `${call}`, name: 'look', args: { at: call++ } }];
    return { generations: [{ text: '', message: new AIMessage({ content: '', tool_calls }) }] };
  }
}

const look = tool(({ at }) => `bird ${at}`, {
  name: 'look',
  description: 'Looks.',
  schema: z.object({ at: z.number() }),
});
const agent = (...middleware) => createAgent({ model: new Model(), tools: [look], middleware });
const breaker = () => new Breaker({ reaction: 'observe' });

const nothing = {
  name: 'nothing',
  wrapModelCall: (request, handler) => handler(request),
  wrapToolCall: (request, handler) => handler(request),
};
const deaf = { name: 'deaf', awaitHandlers: true, raiseError: true, copy: () => deaf };
for (const event of [
  'ChainStart',
  'ChainEnd',
  'ChatModelStart',
  'LLMEnd',
  'ToolStart',
  'ToolEnd',
]) {
  deaf[`handle${event}`] = async () => {};
}
const [plain, graph] = [agent(), agent()];
guardGraph(graph, breaker(), { judge: false });
const empty = agent(nothing);
const guarded = agent(guardMiddleware(breaker(), { judge: false }));
const graphRun = () => graph.invoke(INPUT);
const guardedRun = () => guarded.invoke(INPUT);
const ways = {
  alone: { run: () => plain.invoke(INPUT) },
  'callbacks that do nothing': {
    run: () => plain.invoke(INPUT, { callbacks: [deaf] }),
    beside: 'alone',
  },
  guardGraph: { run: graphRun, beside: 'callbacks that do nothing' },
  'a middleware that does nothing': { run: () => empty.invoke(INPUT), beside: 'alone' },
  guardMiddleware: { run: guardedRun, beside: 'a middleware that does nothing' },
};
await timeSteps(ways, { steps: STEPS, rounds: 30, warmUp: 80 });
await weighRuns('under guardGraph', graphRun, { runs: 200 });
await weighRuns('with guardMiddleware', guardedRun, { runs: 200 });
