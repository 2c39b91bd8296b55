import { ToolMessage } from '@langchain/core/messages';
import { Command, interrupt, MemorySaver } from '@langchain/langgraph';
import { tripIn } from '@teamfuse/adapter-kit';
import { Breaker, type Signal } from '@teamfuse/core';
import { createAgent } from 'langchain';
import { describe, expect, it } from 'vitest';
import { guardGraph, guardMiddleware, type MiddlewareOptions, tripOf } from '../src/index.ts';
import { type LookingModel, looking, lookTool } from './support/looking.ts';

interface Looks {
  readonly looks?: number;
  readonly place?: (at: number) => string;
  readonly view?: (at: string) => string | Promise<string>;
  readonly options?: MiddlewareOptions;
}

function agentWith(breaker: Breaker, { looks = 50, place, view, options }: Looks = {}) {
  const model: LookingModel = looking(looks, place);
  const middleware = [guardMiddleware(breaker, { judge: false, ...options })];
  const agent = createAgent({ model, tools: [lookTool(view)], middleware });
  return { agent, model };
}

const INPUT = { messages: [{ role: 'user', content: 'Look.' }] };
const FIELDS = { place: (at: number) => `field ${at}`, view: (at: string) => `a bird over ${at}` };

describe('guardMiddleware', () => {
  it('[LCN1] ends a run before its next model call, and keeps what was done', async () => {
    const { agent, model } = agentWith(new Breaker());
    const result = await agent.invoke(INPUT);
    expect(tripOf(result)?.kind).toBe('repetition');
    expect(model.asked).toBe(3);
    expect(result.messages.filter((message) => ToolMessage.isInstance(message))).toHaveLength(3);
    expect(result.messages.at(-1)?.text).toMatch(/^Stopped by Teamfuse: /);
  });

  it('[LCN2] leaves a healthy twin alone', async () => {
    const breaker = new Breaker();
    const { agent } = agentWith(breaker, { looks: 9, ...FIELDS });
    const result = await agent.invoke(INPUT);
    expect(result.messages.at(-1)?.text).toBe('Done.');
    expect(tripOf(result)).toBeUndefined();
    expect(breaker.stopped).toEqual([]);
  });

  it('[LCN3] refuses a tool before its effect, and tells the model no error that it would not have been told', async () => {
    const seen: string[] = [];
    const view = (at: string): string => {
      seen.push(at);
      throw new Error('fog');
    };
    const limited = agentWith(new Breaker({ maxToolCalls: 2 }), { ...FIELDS, view });
    const guarded = await limited.agent.invoke(INPUT);
    expect(seen).toHaveLength(2);
    const plain = createAgent({ model: looking(1), tools: [lookTool(view)] });
    const [, , ...told] = (await plain.invoke(INPUT)).messages;
    const errors = guarded.messages.filter((message) => ToolMessage.isInstance(message));
    // Older versions of LangChain mark no error of a tool.
    expect([errors[0]?.text, errors[0]?.status]).toEqual([told[0]?.text, 'error']);
  });

  it('[LCN3] marks a tool that fails also in what is stored', async () => {
    const view = (): string => {
      throw new Error('fog');
    };
    const { agent } = agentWith(new Breaker(), { looks: 1, view });
    const { messages } = await agent.invoke(INPUT);
    const told = messages.find((message) => ToolMessage.isInstance(message));
    expect(JSON.parse(JSON.stringify(told))).toMatchObject({ kwargs: { status: 'error' } });
  });

  it('[LCN3] lets a tool ask a person, and reports the call once it is answered', async () => {
    const breaker = new Breaker();
    const signals: Signal[] = [];
    breaker.on('signal', ({ signal }) => signals.push(signal));
    const agent = createAgent({
      model: looking(1),
      tools: [lookTool(() => interrupt<string, string>('May I?'))],
      middleware: [guardMiddleware(breaker, { judge: false })],
      checkpointer: new MemorySaver(),
    });
    const config = { configurable: { thread_id: 'a' } };
    await agent.invoke(INPUT, config);
    expect(signals.filter(({ kind }) => kind === 'tool-call')).toEqual([]);
    const result = await agent.invoke(new Command({ resume: 'yes' }), config);
    expect(result.messages.at(-1)?.text).toBe('Done.');
    expect(signals.filter(({ kind }) => kind === 'tool-call')).toMatchObject([{ result: 'yes' }]);
  });

  it('[LCN4] puts a warning into the prompt of the next model call', async () => {
    const breaker = new Breaker({ reaction: 'warn' });
    const { agent, model } = agentWith(breaker, { looks: 4, options: { nudge: () => 'Move on.' } });
    await agent.invoke(INPUT);
    expect(model.prompt.join('\n')).not.toContain('Move on.');
    const { agent: again, model: warned } = agentWith(breaker, {
      looks: 3,
      options: { nudge: () => 'Move on.' },
    });
    await again.invoke(INPUT);
    expect(warned.prompt.at(-1)).toBe('teamfuse: Move on.');
  });

  it('[LCN5] reports an agent in a tool of another one as nested work', async () => {
    const breaker = new Breaker();
    const signals: Signal[] = [];
    breaker.on('signal', ({ signal }) => signals.push(signal));
    const inner = agentWith(breaker, { looks: 0, options: { agent: 'inner' } });
    const view = async (): Promise<string> => {
      const { messages } = await inner.agent.invoke(INPUT);
      return messages.at(-1)?.text ?? '';
    };
    const model = looking(1);
    const middleware = [guardMiddleware(breaker, { agent: 'outer', judge: false })];
    await createAgent({ model, tools: [lookTool(view)], middleware }).invoke(INPUT);
    const [start, ...others] = signals.filter(({ kind }) => kind === 'nested-start');
    expect(others).toEqual([]);
    expect(start).toMatchObject({ agent: 'outer', trigger: 'tool:look', depth: 1 });
    expect(signals.filter(({ kind }) => kind === 'nested-end')).toHaveLength(1);
  });

  /** Runs an agent that asks another one, in its tool, for something new five times. */
  async function runWithSubAgent(breaker: Breaker) {
    const inner = agentWith(breaker, { looks: 0, options: { agent: 'inner' } });
    const view = async (at: string): Promise<string> => {
      await inner.agent.invoke(INPUT);
      return `a bird over ${at}`;
    };
    const outer = looking(5, FIELDS.place);
    const middleware = [guardMiddleware(breaker, { agent: 'outer', judge: false })];
    const agent = createAgent({ model: outer, tools: [lookTool(view)], middleware });
    return { result: await agent.invoke(INPUT), asked: [inner.model.asked, outer.asked] };
  }

  it('[LCN5] is refused an agent alone that has been called as often as it may be', async () => {
    const breaker = new Breaker({ limits: { tools: { look: { maxCalls: 2 } } } });
    const { result, asked } = await runWithSubAgent(breaker);
    expect([result.messages.at(-1)?.text, asked]).toEqual(['Done.', [2, 6]]);
    expect([breaker.counters.refusals, breaker.stopped]).toEqual([3, []]);
  });

  it('[LCN5] ends where an agent in a tool has used up its budget', async () => {
    const breaker = new Breaker({ budget: { agents: { inner: { maxTokens: 1 } } } });
    const error: unknown = await runWithSubAgent(breaker).catch((thrown) => thrown);
    expect(tripIn(error)?.evidence.purse).toBe('agent:inner');
  });

  it('[LCN6] reports nothing twice in a graph that is guarded as a whole', async () => {
    const breaker = new Breaker();
    const signals: Signal[] = [];
    const { agent } = agentWith(breaker, { looks: 1 });
    guardGraph(agent, breaker, { judge: false });
    breaker.on('signal', ({ signal }) => signals.push(signal));
    await agent.invoke(INPUT);
    const kinds = signals.map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === 'tool-call')).toHaveLength(1);
    expect(kinds.filter((kind) => kind === 'usage')).toHaveLength(2);
  });

  it('[LCN7] gives each thread a conversation, and a run without a thread one of its own', async () => {
    const breaker = new Breaker();
    const ids = new Set<string>();
    breaker.on('signal', ({ conversation }) => ids.add(conversation));
    const agent = createAgent({
      model: looking(0),
      tools: [lookTool()],
      middleware: [guardMiddleware(breaker, { judge: false })],
      checkpointer: new MemorySaver(),
    });
    for (const thread_id of ['a', 'b', 'a'])
      await agent.invoke(INPUT, { configurable: { thread_id } });
    expect([...ids]).toEqual(['a', 'b']);
    const { agent: loose } = agentWith(breaker, { looks: 0 });
    await loose.invoke(INPUT);
    await loose.invoke(INPUT);
    expect(ids.size).toBe(4);
  });

  it('[LCN8] continues the conversation of a thread after a run that failed', async () => {
    const breaker = new Breaker();
    const ids = new Set<string>();
    breaker.on('signal', ({ conversation }) => ids.add(conversation));
    const config = { configurable: { thread_id: 'a' } };
    let hasFailed = false;
    const place = (): string => {
      if (hasFailed) return 'sky';
      hasFailed = true;
      throw new Error('no power');
    };
    const { agent } = agentWith(breaker, { looks: 1, place });
    await expect(agent.invoke(INPUT, config)).rejects.toThrow('no power');
    await agent.invoke(INPUT, config);
    expect([...ids]).toEqual(['a']);
  });

  it('[LCN9] refuses a run before its first model call while the circuit is open', async () => {
    const breaker = new Breaker();
    breaker.stop('enough');
    const { agent, model } = agentWith(breaker);
    await expect(agent.invoke(INPUT)).rejects.toThrow('enough');
    expect(model.asked).toBe(0);
  });
});
