import { joinBlocks } from '@teamfuse/adapter-kit';
import { type AdmissionRequest, type NestedStartSignal, readJson } from '@teamfuse/core';
import type { Attempt } from '@teamfuse/groupchat';
import { nameOf } from '../context/agent-view.ts';
import type { ChatContext } from '../context/chat-context.ts';
import { contentText } from '../observe/message-text.ts';

type Of<K extends Attempt['kind']> = Attempt & { readonly kind: K };

/** The request for a step of a turn that is no model call. */
export function stepRequest(
  context: ChatContext,
  attempt: Of<'tool-call' | 'code-execution' | 'nested-chat'>,
): AdmissionRequest {
  const origin = context.originOf(nameOf(attempt.agent));
  switch (attempt.kind) {
    case 'tool-call': {
      const agent = context.place.turn?.actsFor ?? origin.agent;
      const tool = attempt.name || 'unknown';
      return { kind: 'tool-call', ...origin, agent, tool, args: readJson(attempt.arguments) };
    }
    case 'code-execution':
      return { kind: 'execution', ...origin, ...joinBlocks(attempt.blocks) };
    case 'nested-chat':
      return nestedStart(context, attempt);
  }
}

/** The id of a nested queue: the names of its recipients. */
export function queueId(queue: readonly { readonly recipient: object }[]): string {
  return [...new Set(queue.map(({ recipient }) => nameOf(recipient)))].join('+') || 'nested';
}

function nestedStart(
  context: ChatContext,
  { agent, queue, trigger }: Of<'nested-chat'>,
): NestedStartSignal {
  const name = nameOf(agent);
  const { depth, path } = context.scopeFor(name);
  const [first] = queue;
  const text = typeof first?.message === 'string' ? first.message : contentText(trigger?.content);
  const chatId = queueId(queue);
  return {
    kind: 'nested-start',
    ...context.originOf(name),
    depth: depth + 1,
    path: [...path, chatId],
    chatId,
    trigger: `reply:${name}`,
    ...(text && { text }),
  };
}
