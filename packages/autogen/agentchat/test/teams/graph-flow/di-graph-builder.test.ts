import { describe, expect, it } from 'vitest';
import { DiGraphBuilder } from '../../../src/teams/graph-flow/di-graph-builder.ts';
import { ScriptedAgent } from '../scripted-agent.ts';

const [a, b, c] = ['a', 'b', 'c'].map((name) => new ScriptedAgent(name, name)) as [
  ScriptedAgent,
  ScriptedAgent,
  ScriptedAgent,
];

describe('DiGraphBuilder', () => {
  it('[GRAPH7] builds nodes, edges and participants in the order they were added', () => {
    const builder = new DiGraphBuilder().addNode(a).addNode(b, 'any').addEdge(a, 'b');
    const { nodes, defaultStartNode } = builder.build();
    expect([...nodes.keys()]).toEqual(['a', 'b']);
    expect(nodes.get('a')?.edges.map(({ target }) => target)).toEqual(['b']);
    expect(nodes.get('b')?.activation).toBe('any');
    expect(builder.participants).toEqual([a, b]);
    expect(defaultStartNode).toBeNull();
  });

  it('[GRAPH7] turns a table of texts into conditional edges', () => {
    const builder = new DiGraphBuilder().addNode(a).addNode(b).addNode(c);
    builder.addConditionalEdges(a, { yes: b, no: 'c' });
    expect(builder.build().nodes.get('a')?.edges).toMatchObject([
      { target: 'b', condition: 'yes' },
      { target: 'c', condition: 'no' },
    ]);
  });

  it('[GRAPH7] can name the start of a cycle', () => {
    const builder = new DiGraphBuilder().addNode(a).addNode(b).addNode(c).setEntryPoint(a);
    builder.addEdge(a, b).addConditionalEdges(b, { again: a, done: c });
    expect(builder.build().defaultStartNode).toBe('a');
  });

  it.each<[string, () => unknown]>([
    [
      "Source node 'a' must be added before adding an edge.",
      () => new DiGraphBuilder().addEdge(a, b),
    ],
    [
      "Target node 'b' must be added before adding an edge.",
      () => new DiGraphBuilder().addNode(a).addEdge(a, b),
    ],
    [
      "Start node 'a' must be added before setting as entry point.",
      () => new DiGraphBuilder().setEntryPoint(a),
    ],
    ['Graph has no nodes.', () => new DiGraphBuilder().build()],
  ])('[GRAPH8] refuses: %s', (message, build) => {
    expect(build).toThrow(message);
  });
});
