import { messagesIn, textOf } from './messages.ts';
import type { Metadata, Written } from './shapes.ts';

/** Whether what begins is a node of the graph around. */
export function isNode(
  name: string,
  metadata: Metadata | undefined,
  tags: readonly string[] = [],
): boolean {
  return name === metadata?.langgraph_node && !tags.includes('langsmith:hidden');
}

/** The text that a graph has come back with. */
export function lastText(output: unknown): string | undefined {
  const last = messagesIn(output).at(-1);
  return last && textOf(last);
}

/** The name of a model. */
export function modelName(
  model: Written | undefined,
  extra: object | undefined,
  { ls_model_name: named }: Metadata,
): string {
  const { invocation_params: params } = Object(extra);
  const { kwargs } = model ?? {};
  const names = [named, params?.model, Reflect.get(Object(kwargs), 'model'), model?.id?.at(-1)];
  return String(names.find((name) => typeof name === 'string' && name !== '') ?? 'unknown');
}
