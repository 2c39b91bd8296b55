import { describe, expect, it } from 'vitest';
import {
  type DiGraph,
  leafNodes,
  parentsOf,
  startNodes,
} from '../../../src/teams/graph-flow/di-graph.ts';
import { type DiGraphEdgeOptions, diGraphEdge } from '../../../src/teams/graph-flow/edge.ts';
import { diGraphJson, diGraphToJson } from '../../../src/teams/graph-flow/graph-json.ts';
import { validateGraph } from '../../../src/teams/graph-flow/validate.ts';

type EdgeSpec = string | DiGraphEdgeOptions;

/** `graph({ A: ['B', { target: 'C', condition: 'x' }], B: [], C: [] })` */
function graph(nodes: Record<string, EdgeSpec[]>, defaultStartNode: string | null = null): DiGraph {
  const entries = Object.entries(nodes).map(([name, edges]) => {
    const options = edges.map((edge) => (typeof edge === 'string' ? { target: edge } : edge));
    return [
      name,
      {
        name,
        edges: options.map(({ target, ...rest }) => diGraphEdge(target, rest)),
        activation: 'all' as const,
      },
    ] as const;
  });
  return { nodes: new Map(entries), defaultStartNode };
}

const if_ = (target: string, condition: string): DiGraphEdgeOptions => ({ target, condition });

describe('DiGraph', () => {
  it('[GRAPH1] knows parents, start nodes and leaf nodes', () => {
    const diamond = graph({ A: ['B', 'C'], B: ['D'], C: ['D'], D: [] });
    expect(Object.fromEntries(parentsOf(diamond))).toEqual({
      A: [],
      B: ['A'],
      C: ['A'],
      D: ['B', 'C'],
    });
    expect(startNodes(diamond)).toEqual(['A']);
    expect(leafNodes(diamond)).toEqual(['D']);
  });

  it('[GRAPH1] starts at its entry point, also inside a cycle', () => {
    expect(startNodes(graph({ A: ['B'], B: ['A'] }, 'B'))).toEqual(['B']);
  });

  it('[GRAPH2] takes the name of the target as activation group', () => {
    expect(diGraphEdge('B', {})).toEqual({
      target: 'B',
      condition: null,
      activationGroup: 'B',
      activationCondition: 'all',
    });
  });
});

describe('validateGraph', () => {
  it.each<[string, DiGraph]>([
    ['Graph has no nodes.', graph({})],
    ['Graph must have at least one start node', graph({ A: ['B'], B: ['A'] })],
    ['Graph must have at least one leaf node', graph({ A: ['B'], B: ['B'] })],
    [
      "Node 'A' has a mix of conditional and unconditional edges.",
      graph({ A: ['B', if_('C', 'x')], B: [], C: [] }),
    ],
    [
      "Conflicting activation conditions for target 'C' group 'C': 'all' (from node 'A') and 'any' (from node 'B')",
      graph({ A: ['C'], B: [{ target: 'C', activationCondition: 'any' }], C: [] }),
    ],
    [
      'Cycle detected without exit condition: A -> B -> A',
      graph({ S: ['A'], A: ['B'], B: ['A'], L: [] }),
    ],
  ])('[GRAPH3] refuses: %s', (message, broken) => {
    expect(() => validateGraph(broken)).toThrow(message);
  });

  it.each([
    ['no cycle', false, graph({ A: ['B'], B: [] })],
    ['a diamond', false, graph({ A: ['B', 'C'], B: ['D'], C: ['D'], D: [] })],
    [
      'a loop with an exit',
      true,
      graph({ S: ['A'], A: ['B'], B: [if_('A', 'again'), if_('E', 'done')], E: [] }),
    ],
    [
      'a node that follows itself',
      true,
      graph({ S: ['A'], A: [if_('A', 'x'), if_('E', 'y')], E: [] }),
    ],
  ])('[GRAPH4] of %s says whether there is a cycle: %s', (_, hasCycle, valid) => {
    expect(validateGraph(valid)).toEqual({ hasCycle });
  });

  it('[GRAPH4] finds a faulty cycle behind a sound one', () => {
    const both = graph({
      S: ['A', 'X'],
      A: [if_('A', 'x'), if_('E', 'y')],
      X: ['Y'],
      Y: ['X'],
      E: [],
    });
    expect(() => validateGraph(both)).toThrow('Cycle detected without exit condition: X -> Y -> X');
  });
});

describe('the JSON form of a graph', () => {
  const looping = graph({ S: ['A'], A: [if_('A', 'x'), if_('E', 'y')], E: [] }, 'S');

  it('[GRAPH5] uses the keys of AutoGen', () => {
    expect(diGraphToJson(graph({ A: [if_('B', 'x')], B: [] }))).toEqual({
      nodes: {
        A: {
          name: 'A',
          edges: [
            { target: 'B', condition: 'x', activation_group: 'B', activation_condition: 'all' },
          ],
          activation: 'all',
        },
        B: { name: 'B', edges: [], activation: 'all' },
      },
      default_start_node: null,
    });
  });

  it('[GRAPH5] comes back as it was', () => {
    expect(diGraphJson.parse(JSON.parse(JSON.stringify(diGraphToJson(looping))))).toEqual(looping);
  });

  it('[GRAPH6] is refused for an edge whose condition is a function', () => {
    const lambda = graph({ A: [{ target: 'B', condition: () => true }], B: [] });
    expect(() => diGraphToJson(lambda)).toThrow('Cannot dump edge A -> B');
  });
});
