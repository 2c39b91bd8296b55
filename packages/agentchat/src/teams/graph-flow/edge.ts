import type { BaseChatMessage } from '../../messages/chat/chat-message.ts';

/** When a node with several incoming edges of one group runs: once all have fired, or at the first. */
export type Activation = 'all' | 'any';

/**
 * When an edge fires: always, when the source's last message has the text, or when the function says so.
 *
 * A function cannot be dumped.
 */
export type EdgeCondition = string | ((message: BaseChatMessage) => boolean) | null;

/** An edge of a {@link DiGraph}, kept with the node it leaves. */
export interface DiGraphEdge {
  readonly target: string;
  readonly condition: EdgeCondition;
  /** Edges into one target that are counted together. */
  readonly activationGroup: string;
  readonly activationCondition: Activation;
}

/** What an edge is made of; everything but the target may be left out. */
export interface DiGraphEdgeOptions {
  readonly target: string;
  /** @defaultValue null: the edge always fires */
  readonly condition?: EdgeCondition | undefined;
  /** @defaultValue the target's name */
  readonly activationGroup?: string | undefined;
  /** @defaultValue 'all' */
  readonly activationCondition?: Activation | undefined;
}

/** Makes an edge out of its options. */
export function diGraphEdge({
  target,
  condition = null,
  activationGroup,
  activationCondition = 'all',
}: DiGraphEdgeOptions): DiGraphEdge {
  return {
    target,
    condition,
    activationGroup:
      activationGroup === undefined || activationGroup === '' ? target : activationGroup,
    activationCondition,
  };
}

/** Whether the edge fires after its source has said `message`. */
export function edgeFires({ condition }: DiGraphEdge, message: BaseChatMessage): boolean {
  if (condition === null) return true;
  return typeof condition === 'string'
    ? message.toModelText().includes(condition)
    : condition(message);
}
