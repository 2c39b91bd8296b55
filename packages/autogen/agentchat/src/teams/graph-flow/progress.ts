import type { BaseChatMessage } from '../../messages/chat/chat-message.ts';
import { type DiGraph, startNodes } from './di-graph.ts';
import { type Activation, edgeFires } from './edge.ts';

/** The progress of a graph as plain JSON, with AutoGen's keys and shapes. */
export interface GraphProgressState {
  readonly remaining: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly enqueued_any: Readonly<Record<string, Readonly<Record<string, boolean>>>>;
  readonly ready: readonly string[];
}

/** One group of edges into one node. */
interface Gate {
  readonly activation: Activation;
  /** Number of edges in the group. */
  readonly size: number;
  /** Edges that still have to fire; used for `all` only. */
  remaining: number;
  /** Whether the group has made its node ready, and the node has not run since. */
  triggered: boolean;
}

/** Tracks which nodes of a graph are ready, and which edges the others wait for. */
export class GraphProgress {
  readonly #graph: DiGraph;
  #gates: Map<string, Map<string, Gate>>;
  #ready: string[];
  /** Nodes that were taken and have not answered: a failed or cancelled turn leaves some. */
  #taken: string[] = [];

  constructor(graph: DiGraph) {
    this.#graph = graph;
    this.#gates = gatesOf(graph);
    this.#ready = [...startNodes(graph)];
  }

  /** Whether a node is ready. */
  get hasReady(): boolean {
    return this.#ready.length > 0 || this.#taken.length > 0;
  }

  /** Fires the edges of the node that is the source of `message`; any other source changes nothing. */
  advance(message: BaseChatMessage): void {
    this.#taken = this.#taken.filter((name) => name !== message.source);
    for (const edge of this.#graph.nodes.get(message.source)?.edges ?? []) {
      const gate = this.#gates.get(edge.target)?.get(edge.activationGroup);
      if (gate === undefined || !edgeFires(edge, message)) continue;
      if (opens(gate)) {
        gate.triggered = true;
        if (!this.#ready.includes(edge.target)) this.#ready.push(edge.target);
      }
    }
  }

  /** Marks all taken nodes as run, even those that answered under another name. */
  settle(): void {
    this.#taken = [];
  }

  /** Takes all ready nodes; the groups that made them ready count from the start. */
  takeReady(): readonly string[] {
    this.#taken = [...new Set([...this.#taken, ...this.#ready])];
    this.#ready = [];
    for (const name of this.#taken) {
      for (const gate of this.#gates.get(name)?.values() ?? []) {
        if (!gate.triggered) continue;
        gate.remaining = gate.size;
        gate.triggered = false;
      }
    }
    return this.#taken;
  }

  /** Starts over. */
  reset(): void {
    this.#gates = gatesOf(this.#graph);
    this.#ready = [...startNodes(this.#graph)];
    this.#taken = [];
  }

  save(): GraphProgressState {
    const per = <T>(value: (gate: Gate) => T): Record<string, Record<string, T>> =>
      Object.fromEntries(
        [...this.#gates].map(([name, groups]) => [
          name,
          Object.fromEntries([...groups].map(([group, gate]) => [group, value(gate)])),
        ]),
      );
    return {
      remaining: per((gate) => gate.remaining),
      enqueued_any: per((gate) => gate.activation === 'any' && gate.triggered),
      ready: [...new Set([...this.#taken, ...this.#ready])],
    };
  }

  load({ remaining, enqueued_any, ready }: GraphProgressState): void {
    this.#gates = gatesOf(this.#graph);
    this.#taken = [];
    this.#ready = ready.filter((name) => this.#graph.nodes.has(name));
    for (const [name, groups] of this.#gates) {
      for (const [group, gate] of groups) {
        gate.remaining = remaining[name]?.[group] ?? gate.size;
        gate.triggered =
          gate.activation === 'any'
            ? (enqueued_any[name]?.[group] ?? false)
            : gate.remaining === 0 && this.#ready.includes(name);
      }
    }
  }
}

/** Counts one fired edge, and returns whether it makes the node ready. */
function opens(gate: Gate): boolean {
  if (gate.activation === 'any') return !gate.triggered;
  gate.remaining -= 1;
  return gate.remaining === 0;
}

function gatesOf(graph: DiGraph): Map<string, Map<string, Gate>> {
  const gates = new Map<string, Map<string, Gate>>(
    [...graph.nodes.keys()].map((name) => [name, new Map()]),
  );
  for (const { edges } of graph.nodes.values()) {
    for (const { target, activationGroup, activationCondition: activation } of edges) {
      const groups = gates.get(target);
      const size = (groups?.get(activationGroup)?.size ?? 0) + 1;
      groups?.set(activationGroup, { activation, size, remaining: size, triggered: false });
    }
  }
  return gates;
}
