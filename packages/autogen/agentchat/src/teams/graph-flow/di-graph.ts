import type { Activation, DiGraphEdge } from './edge.ts';

/** A participant of a graph and the edges that leave it. */
export interface DiGraphNode {
  readonly name: string;
  readonly edges: readonly DiGraphEdge[];
  /** Kept for AutoGen's dumps; only the `activationCondition` of the edges has an effect. */
  readonly activation: Activation;
}

/** The order of speakers, as data. */
export interface DiGraph {
  readonly nodes: ReadonlyMap<string, DiGraphNode>;
  /** The first node; `null` starts at every node without incoming edges. */
  readonly defaultStartNode: string | null;
}

/** The source nodes of the edges into each node, by its name. */
export function parentsOf(graph: DiGraph): ReadonlyMap<string, readonly string[]> {
  const parents = new Map<string, string[]>([...graph.nodes.keys()].map((name) => [name, []]));
  for (const node of graph.nodes.values()) {
    for (const { target } of node.edges) parents.get(target)?.push(node.name);
  }
  return parents;
}

/** The nodes that are ready at the start. */
export function startNodes(graph: DiGraph): readonly string[] {
  if (graph.defaultStartNode !== null) return [graph.defaultStartNode];
  const parents = parentsOf(graph);
  return [...graph.nodes.keys()].filter((name) => parents.get(name)?.length === 0);
}

/** The nodes without outgoing edges. */
export function leafNodes(graph: DiGraph): readonly string[] {
  return [...graph.nodes.values()]
    .filter(({ edges }) => edges.length === 0)
    .map(({ name }) => name);
}
