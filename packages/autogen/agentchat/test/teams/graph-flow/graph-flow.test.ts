import {
  isTaskResult,
  MaxMessageTermination,
  SourceMatchTermination,
  TextMentionTermination,
} from '@teamfuse/agentchat';
import { describe, expect, it } from 'vitest';
import { MessageFilterAgent } from '../../../src/agents/message-filter-agent.ts';
import { DiGraphBuilder } from '../../../src/teams/graph-flow/di-graph-builder.ts';
import { GraphFlow, type GraphFlowOptions } from '../../../src/teams/graph-flow/graph-flow.ts';
import { collect } from '../../agents/scripts.ts';
import { ScriptedAgent, transcript } from '../scripted-agent.ts';
import { answer, StreamAgent } from '../stream-agent.ts';

/** Agents by name, and what they say; `flow('a>b b>c[ok]')` lists the edges. */
function flow(
  edges: string,
  scripts: Record<string, (string | Error)[]>,
  options: Omit<GraphFlowOptions, 'graph'> & { start?: string } = {},
): GraphFlow {
  const builder = new DiGraphBuilder();
  for (const [name, script] of Object.entries(scripts)) {
    builder.addNode(new ScriptedAgent(name, ...script));
  }
  for (const edge of edges.split(' ').filter(Boolean)) {
    const [, source = '', target = '', condition, group] =
      /^(\w+)>(\w+)(?:\[(.*?)\])?(?::(\w+))?$/.exec(edge) ?? [];
    builder.addEdge(source, target, {
      condition: condition ?? null,
      activationGroup: group,
      activationCondition: group === undefined ? 'all' : 'any',
    });
  }
  const { start, ...rest } = options;
  if (start !== undefined) builder.setEntryPoint(start);
  return new GraphFlow(builder.participants, { graph: builder.build(), ...rest });
}

const say = (...names: string[]) => Object.fromEntries(names.map((name) => [name, [name]]));

async function spoken(team: GraphFlow, task: string | null = 'go'): Promise<string> {
  const { messages } = await team.run({ task });
  return messages.map(({ source }) => source).join(' ');
}

describe('GraphFlow', () => {
  it('[GF1] follows the edges and reports its completion', async () => {
    const { messages, stopReason } = await flow('a>b b>c', say('a', 'b', 'c')).run({ task: 'go' });
    expect(transcript(messages)).toEqual(['user: go', 'a: a', 'b: b', 'c: c']);
    expect(stopReason).toBe('Digraph execution is complete');
  });

  it('[GF2] waits for every edge of a group that asks for all', async () => {
    expect(await spoken(flow('a>b a>c b>d c>d', say('a', 'b', 'c', 'd')))).toBe('user a b c d');
  });

  it('[GF2] runs at the first edge of a group that asks for any, and once only', async () => {
    const team = flow('a>b a>c b>d c>d', say('a', 'b', 'c', 'd'));
    const any = flow('a>b a>c b>d:d c>d:d', say('a', 'b', 'c', 'd'));
    expect(await spoken(team)).toBe('user a b c d');
    expect(await spoken(any)).toBe('user a b c d');
  });

  it('[GF3] starts at every node no edge leads to', async () => {
    expect(await spoken(flow('a>c b>c', say('a', 'b', 'c')))).toBe('user a b c');
  });

  it('[GF4] follows only the edges whose text was said', async () => {
    const team = flow('a>b[yes] a>c[no]', { a: ['no way'], b: ['b'], c: ['c'] });
    expect(await spoken(team)).toBe('user a c');
  });

  it('[GF4] ends when no edge fits', async () => {
    const { stopReason } = await flow('a>b[yes]', { a: ['hm'], b: ['b'] }).run({ task: 'go' });
    expect(stopReason).toBe('Digraph execution is complete');
  });

  it('[GF5] goes round a loop until its exit', async () => {
    const scripts = { a: ['draft'], b: ['again', 'again', 'done'], c: ['c'] };
    const team = flow('a>b b>a[again] b>c[done]', scripts, { start: 'a', maxTurns: 20 });
    expect(await spoken(team)).toBe('user a b a b a b c');
  });

  it('[GF5] counts each group of a node on its own', async () => {
    const team = flow(
      'a>b b>c c>b[again]:back c>e[done]',
      {
        a: ['a'],
        b: ['b'],
        c: ['again', 'done'],
        e: ['e'],
      },
      { maxTurns: 20 },
    );
    expect(await spoken(team)).toBe('user a b c b c e');
  });

  it('[GF6] needs a condition or a limit for a cycle, and says so when run', async () => {
    const team = flow('a>a[x] a>b[y]', say('a', 'b'), { start: 'a' });
    await expect(team.run({ task: 'go' })).rejects.toThrow(
      'A termination condition is required for cyclic graphs without a maximum turn limit.',
    );
  });

  it('[GF7] never lets the condition judge the last node', async () => {
    const terminationCondition = new TextMentionTermination('stop');
    const team = flow('a>b', { a: ['a'], b: ['stop'] }, { terminationCondition });
    expect((await team.run({ task: 'go' })).stopReason).toBe('Digraph execution is complete');
  });

  it('[GF7] lets the condition judge only who ends last of those who speak together', async () => {
    const terminationCondition = new TextMentionTermination('stop');
    const scripts = { a: ['a'], b: ['stop'], c: ['c'], d: ['d'] };
    const team = flow('a>b a>c b>d c>d', scripts, { terminationCondition });
    expect(await spoken(team)).toBe('user a b c d');
  });

  it('[GF8] lets the condition judge everything when asked to', async () => {
    const terminationCondition = new TextMentionTermination('stop');
    const options = { terminationCondition, judgesAllBranches: true };
    const scripts = { a: ['a'], b: ['stop'], c: ['c'], d: ['d'] };
    const branch = await flow('a>b a>c b>d c>d', scripts, options).run({ task: 'go' });
    const last = await flow('a>b', { a: ['a'], b: ['stop'] }, options).run({ task: 'go' });
    expect(branch.stopReason).toBe("Text 'stop' mentioned");
    expect(last.stopReason).toBe("Text 'stop' mentioned");
  });

  it('[GF9] starts over after it was complete', async () => {
    const team = flow('a>b', say('a', 'b'));
    await team.run({ task: 'one' });
    expect(await spoken(team, 'two')).toBe('user a b');
  });

  it('[GF9] goes on where a condition stopped it', async () => {
    const team = flow('a>b b>c', say('a', 'b', 'c'), {
      terminationCondition: new MaxMessageTermination(3),
    });
    expect(await spoken(team)).toBe('user a b');
    expect(await spoken(team, null)).toBe('c');
  });

  it('[GF10] moves to another team with its state', async () => {
    const make = () =>
      flow('a>b b>c', say('a', 'b', 'c'), {
        terminationCondition: new SourceMatchTermination(['a']),
      });
    const first = make();
    await first.run({ task: 'go' });
    const state = await first.saveState();
    const second = make();
    await second.loadState(JSON.parse(JSON.stringify(state)));
    expect(await second.saveState()).toEqual(state);
    expect(await spoken(second, null)).toBe('b c');
  });

  it('[GF11] fires the edges of a node for a task in its name', async () => {
    const team = flow('a>b', say('a', 'b'));
    const { TextMessage } = await import('@teamfuse/agentchat');
    const task = new TextMessage({ content: 'x', source: 'a' });
    const { messages } = await team.run({ task });
    expect(messages.map(({ source }) => source)).toEqual(['a', 'a', 'b', 'b']);
  });

  it('[GF12] asks a node again that failed in the run before', async () => {
    const team = flow('a>b', { a: ['a'], b: [new Error('down'), 'b'] });
    await expect(team.run({ task: 'go' })).rejects.toThrow('Error: down');
    expect(await spoken(team, null)).toBe('b');
  });

  it('[GF12] runs again after one of two branches failed', async () => {
    const scripts = { a: ['a'], b: [new Error('down'), 'b'], c: ['c'], d: ['d'] };
    const team = flow('a>b a>c b>d c>d', scripts);
    await expect(team.run({ task: 'go' })).rejects.toThrow('down');
    expect((await spoken(team, null)).split(' ').at(-1)).toBe('d');
  });

  it('[GF13] delivers to each agent the messages of the others since its last turn', async () => {
    const team = flow('a>b b>c', say('a', 'b', 'c'));
    await team.run({ task: 'go' });
    const received = team.participants.map((agent) => (agent as ScriptedAgent).received);
    expect(received).toEqual([[['go']], [['go', 'a']], [['go', 'a', 'b']]]);
  });

  it('[GF13] keeps messages that arrive during a turn for the next one', async () => {
    let release = (): void => {};
    const heard: string[][] = [];
    const slow = new StreamAgent('c', async function* (messages) {
      heard.push(messages.map((message) => message.toText()));
      await new Promise<void>((resolve) => {
        release = resolve;
      });
      yield answer('c', 'c');
    });
    const builder = new DiGraphBuilder()
      .addNode(new ScriptedAgent('a', 'a'))
      .addNode(new ScriptedAgent('b', 'b1', 'b2'))
      .addNode(slow)
      .addEdge('a', 'b')
      .addEdge('a', 'c');
    const team = new GraphFlow(builder.participants, { graph: builder.build() });
    for (const task of ['one', 'two']) {
      for await (const item of team.runStream({ task })) {
        if (!isTaskResult(item) && item.source === 'b') release();
      }
    }
    expect(heard).toEqual([
      ['one', 'a'],
      ['b1', 'two', 'a'],
    ]);
  });

  it('[GF13] shows an agent only what its filter lets through', async () => {
    const [a, b] = [new ScriptedAgent('a', 'a'), new ScriptedAgent('b', 'b')];
    const filtered = new MessageFilterAgent('b', {
      wrappedAgent: b,
      filter: { perSource: [{ source: 'a', position: 'last', count: 1 }] },
    });
    const builder = new DiGraphBuilder().addNode(a).addNode(filtered).addEdge(a, filtered);
    await new GraphFlow(builder.participants, { graph: builder.build() }).run({ task: 'go' });
    expect(b.received).toEqual([['a']]);
  });

  it('[GF14] streams what its result holds', async () => {
    const { items, end } = await collect(flow('a>b', say('a', 'b')).runStream({ task: 'go' }));
    expect(end).toMatchObject({ messages: items });
  });

  it('[GF15] takes no teams', () => {
    const graph = new DiGraphBuilder().addNode(new ScriptedAgent('a', 'a')).build();
    const inner = flow('', say('a'));
    expect(() => new GraphFlow([inner as never], { graph })).toThrow('must be a ChatAgent.');
  });
});
