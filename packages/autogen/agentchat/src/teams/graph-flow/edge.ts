import type { OptionNames } from '@teamfuse/python-compat';
import { knownOptions } from '../../base/options.ts';
import type { BaseChatMessage } from '../../messages/chat/chat-message.ts';

/** Whether a node runs after all edges of a group have fired, or after the first. */
export type Activation = 'all' | 'any';

/**
 * When an edge fires: always (`null`), when the source's answer contains the text, or when the function returns `true`.
 *
 * A function cannot be dumped.
 */
export type EdgeCondition = string | ((message: BaseChatMessage) => boolean) | null;

/** An edge of a {@link DiGraph}, kept with the node it leaves. */
export interface DiGraphEdge {
  readonly target: string;
  readonly condition: EdgeCondition;
  /** Name of the group of edges into the target that are counted together. */
  readonly activationGroup: string;
  readonly activationCondition: Activation;
}

/** Fields of an edge; only the target is required. */
export interface DiGraphEdgeOptions {
  readonly target: string;
  /** @defaultValue null: the edge always fires */
  readonly condition?: EdgeCondition | undefined;
  /** @defaultValue the target's name */
  readonly activationGroup?: string | undefined;
  /** @defaultValue 'all' */
  readonly activationCondition?: Activation | undefined;
}

const edgeNames: OptionNames<Omit<DiGraphEdgeOptions, 'target'>> = {
  condition: true,
  activationGroup: true,
  activationCondition: true,
};

/** Makes an edge from its options. */
export function diGraphEdge(
  target: string,
  options: Omit<DiGraphEdgeOptions, 'target'>,
): DiGraphEdge {
  const {
    condition = null,
    activationGroup,
    activationCondition = 'all',
  } = knownOptions('edge', options, edgeNames);
  return {
    target,
    condition,
    activationGroup:
      activationGroup === undefined || activationGroup === '' ? target : activationGroup,
    activationCondition,
  };
}

/** Whether the edge fires after `message` from its source. */
export function edgeFires({ condition }: DiGraphEdge, message: BaseChatMessage): boolean {
  if (condition === null) return true;
  return typeof condition === 'string'
    ? message.toModelText().includes(condition)
    : condition(message);
}
