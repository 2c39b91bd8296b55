import type { ChatAgent } from '../../base/chat-agent.ts';
import { ValueError } from '../../base/errors.ts';
import type { DiGraph, DiGraphNode } from './di-graph.ts';
import { type Activation, type DiGraphEdge, type DiGraphEdgeOptions, diGraphEdge } from './edge.ts';
import { validateGraph } from './validate.ts';

/**
 * Builds a graph step by step.
 *
 * @example
 * ```ts
 * const builder = new DiGraphBuilder();
 * builder.addNode(writer).addNode(reviewer).addNode(publisher);
 * builder.addEdge(writer, reviewer);
 * builder.addConditionalEdges(reviewer, { APPROVE: publisher, REVISE: writer });
 * builder.setEntryPoint(writer);
 * const team = new GraphFlow(builder.participants, { graph: builder.build(), maxTurns: 10 });
 * ```
 */
export class DiGraphBuilder {
  readonly #agents = new Map<string, ChatAgent>();
  readonly #nodes = new Map<string, { activation: Activation; edges: DiGraphEdge[] }>();
  #start: string | null = null;

  /** The agents of all nodes, in the order they were added. */
  get participants(): readonly ChatAgent[] {
    return [...this.#agents.values()];
  }

  /** Adds an agent; adding the same agent again has no effect. */
  addNode(agent: ChatAgent, activation: Activation = 'all'): this {
    if (!this.#nodes.has(agent.name)) {
      this.#nodes.set(agent.name, { activation, edges: [] });
      this.#agents.set(agent.name, agent);
    }
    return this;
  }

  /** Adds an edge between nodes, given as agents or by name. */
  addEdge(
    source: ChatAgent | string,
    target: ChatAgent | string,
    options: Omit<DiGraphEdgeOptions, 'target'> = {},
  ): this {
    const from = this.#nodes.get(nameOf(source));
    if (from === undefined) throw missing('Source', source);
    if (!this.#nodes.has(nameOf(target))) throw missing('Target', target);
    from.edges.push(diGraphEdge(nameOf(target), options));
    return this;
  }

  /** Adds an edge for each text the source's answer may contain. */
  addConditionalEdges(
    source: ChatAgent | string,
    targets: Readonly<Record<string, ChatAgent | string>>,
  ): this {
    for (const [condition, target] of Object.entries(targets)) {
      this.addEdge(source, target, { condition });
    }
    return this;
  }

  /** Sets the first node. The default is every node without incoming edges. */
  setEntryPoint(node: ChatAgent | string): this {
    const name = nameOf(node);
    if (!this.#nodes.has(name)) {
      throw new ValueError(`Start node '${name}' must be added before setting as entry point.`);
    }
    this.#start = name;
    return this;
  }

  /**
   * Checks the graph and returns it.
   *
   * @throws {@link ValueError} for a graph that cannot be run.
   */
  build(): DiGraph {
    const nodes = new Map<string, DiGraphNode>();
    for (const [name, { activation, edges }] of this.#nodes) {
      nodes.set(name, { name, activation, edges: [...edges] });
    }
    const graph = { nodes, defaultStartNode: this.#start };
    validateGraph(graph);
    return graph;
  }
}

function nameOf(node: ChatAgent | string): string {
  return typeof node === 'string' ? node : node.name;
}

function missing(which: 'Source' | 'Target', node: ChatAgent | string): ValueError {
  return new ValueError(`${which} node '${nameOf(node)}' must be added before adding an edge.`);
}
