import { z } from 'zod';
import { ValueError } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json.ts';
import type { DiGraph, DiGraphNode } from './di-graph.ts';
import { diGraphEdge, type EdgeCondition } from './edge.ts';

const activation = z.enum(['all', 'any']).default('all');
const edge = z
  .object({
    target: z.string(),
    condition: z.string().nullable().default(null),
    activation_group: z.string().default(''),
    activation_condition: activation,
  })
  .transform(({ target, condition, activation_group, activation_condition }) =>
    diGraphEdge(target, {
      condition,
      activationGroup: activation_group,
      activationCondition: activation_condition,
    }),
  );
const node = z.object({ name: z.string(), edges: z.array(edge).default([]), activation });

/** Schema of the JSON form of a graph; the result is not validated yet. */
export const diGraphJson: z.ZodType<DiGraph> = z
  .object({ nodes: z.record(z.string(), node), default_start_node: z.string().nullish() })
  .transform(({ nodes, default_start_node }) => ({
    nodes: new Map<string, DiGraphNode>(Object.entries(nodes)),
    defaultStartNode: default_start_node ?? null,
  }));

/**
 * The JSON form of a graph.
 *
 * @throws {@link ValueError} for an edge whose condition is a function, because without it the edge would always fire.
 */
export function diGraphToJson({ nodes, defaultStartNode }: DiGraph): JsonObject {
  const dumped = [...nodes.values()].map(({ name, edges, activation }): [string, JsonObject] => [
    name,
    {
      name,
      edges: edges.map((item) => ({
        target: item.target,
        condition: textOf(item.condition, `${name} -> ${item.target}`),
        activation_group: item.activationGroup,
        activation_condition: item.activationCondition,
      })),
      activation,
    },
  ]);
  return { nodes: Object.fromEntries(dumped), default_start_node: defaultStartNode };
}

function textOf(condition: EdgeCondition, edge: string): string | null {
  if (typeof condition !== 'function') return condition;
  throw new ValueError(`Cannot dump edge ${edge}: its condition is a function.`);
}
