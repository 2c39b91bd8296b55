import { ValueError } from '../../base/errors.ts';
import { type DiGraph, type DiGraphNode, leafNodes, startNodes } from './di-graph.ts';

/**
 * Checks that a graph can run, and returns whether it has a cycle.
 *
 * @throws {@link ValueError} that names the missing or contradictory part.
 */
export function validateGraph(graph: DiGraph): { readonly hasCycle: boolean } {
  if (graph.nodes.size === 0) throw new ValueError('Graph has no nodes.');
  if (startNodes(graph).length === 0) {
    throw new ValueError('Graph must have at least one start node');
  }
  if (leafNodes(graph).length === 0) throw new ValueError('Graph must have at least one leaf node');
  for (const node of graph.nodes.values()) checkMix(node);
  checkActivation(graph);
  return { hasCycle: findCycle(graph) };
}

function checkMix({ name, edges }: DiGraphNode): void {
  const conditional = edges.filter(({ condition }) => condition !== null).length;
  if (conditional > 0 && conditional < edges.length) {
    throw new ValueError(`Node '${name}' has a mix of conditional and unconditional edges.`);
  }
}

function checkActivation(graph: DiGraph): void {
  const seen = new Map<string, { readonly activation: string; readonly source: string }>();
  for (const { name, edges } of graph.nodes.values()) {
    for (const { target, activationGroup, activationCondition } of edges) {
      const key = JSON.stringify([target, activationGroup]);
      const known = seen.get(key);
      if (known === undefined) {
        seen.set(key, { activation: activationCondition, source: name });
      } else if (known.activation !== activationCondition) {
        throw new ValueError(
          `Conflicting activation conditions for target '${target}' group '${activationGroup}': ` +
            `'${known.activation}' (from node '${known.source}') and '${activationCondition}' (from node '${name}')`,
        );
      }
    }
  }
}

/** Searches depth first, so that the current path is known when it closes a cycle. */
function findCycle(graph: DiGraph): boolean {
  const done = new Set<string>();
  const path: string[] = [];
  let found = false;

  const visit = (name: string): void => {
    path.push(name);
    for (const { target } of graph.nodes.get(name)?.edges ?? []) {
      const start = path.indexOf(target);
      if (start >= 0) {
        found = true;
        checkExit(graph, path.slice(start));
      } else if (!done.has(target)) {
        visit(target);
      }
    }
    path.pop();
    done.add(name);
  };

  for (const name of graph.nodes.keys()) if (!done.has(name)) visit(name);
  return found;
}

function checkExit(graph: DiGraph, cycle: readonly string[]): void {
  const edges = cycle.flatMap((name) => graph.nodes.get(name)?.edges ?? []);
  if (edges.every(({ condition }) => condition === null)) {
    throw new ValueError(
      `Cycle detected without exit condition: ${[...cycle, cycle[0]].join(' -> ')}`,
    );
  }
}
