// What a guard adds to a step of an agent whose model answers at once, and whether memory stays flat.
// Run: node --expose-gc packages/adapter-langchain/bench/per-step.js, after `npm run build`.
import { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { AIMessage } from '@langchain/core/messages';
import { guardGraph, guardMiddleware } from '@teamfuse/adapter-langchain';
import { Breaker } from '@teamfuse/core';
import { createAgent, tool } from 'langchain';
import { z } from 'zod';

const STEPS = 10;
const ROUNDS = 12;
const RUNS = 5;
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
const kinds = {
  alone: () => plain.invoke(INPUT),
  'with callbacks that do nothing': () => plain.invoke(INPUT, { callbacks: [deaf] }),
  'under guardGraph': () => graph.invoke(INPUT),
};
const empty = agent(nothing);
const guarded = agent(guardMiddleware(breaker(), { judge: false }));
kinds['with a middleware that does nothing'] = () => empty.invoke(INPUT);
kinds['with guardMiddleware'] = () => guarded.invoke(INPUT);

async function microsPerStep(run) {
  // Time of the processor: others may use the machine.
  const began = process.cpuUsage();
  for (let at = 0; at < RUNS; at++) await run();
  const { user, system } = process.cpuUsage(began);
  return (user + system) / RUNS / STEPS;
}

const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];
const times = Object.fromEntries(Object.keys(kinds).map((kind) => [kind, []]));
for (let round = -5; round < ROUNDS; round++) {
  for (const [kind, run] of Object.entries(kinds)) {
    const micros = await microsPerStep(run);
    if (round >= 0) times[kind].push(micros);
  }
}
for (const [kind, taken] of Object.entries(times)) {
  console.log(`a step ${kind}: ${median(taken).toFixed(0)} µs`);
}

for (const kind of ['alone', 'under guardGraph', 'with guardMiddleware']) {
  const sizes = [];
  for (let at = 0; at < 4; at++) {
    for (let run = 0; run < 150; run++) await kinds[kind]();
    await new Promise(setImmediate);
    globalThis.gc?.();
    sizes.push((process.memoryUsage().heapUsed / 1e6).toFixed(1));
  }
  console.log(`heap after each 150 runs ${kind}: ${sizes.join(', ')} MB`);
}
