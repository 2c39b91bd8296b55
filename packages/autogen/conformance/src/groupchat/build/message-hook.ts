import type { ChatMessage, HookMethods, OutgoingMessage } from '@teamfuse/groupchat';
import { raised } from '../script/raised-error.ts';
import type { World } from '../script/world.ts';
import type { Operation } from '../vector.ts';

type AnyHook = HookMethods[keyof HookMethods];

/** The hook a vector describes, for the place it is registered at. */
export function messageHook(world: World, operation: Operation): never {
  const hooks: Readonly<Record<string, AnyHook>> = {
    process_message_before_send: beforeSend(world, operation),
    process_last_received_message: lastReceived(world, operation),
    process_all_messages_before_reply: allMessages(world, operation),
  };
  // The method and the hook belong together, which the type of the table cannot say.
  return (hooks[operation.method ?? ''] ?? (() => '')) as never;
}

function beforeSend(world: World, operation: Operation): HookMethods['processMessageBeforeSend'] {
  return ({ sender, message, recipient, silent }: OutgoingMessage) => {
    const noted = {
      agent: sender.name,
      to: recipient.name,
      message: structuredClone(message),
      silent,
    };
    world.recorder.note({ ev: 'before_send', ...noted });
    return changed(operation, message);
  };
}

function lastReceived(
  world: World,
  operation: Operation,
): HookMethods['processLastReceivedMessage'] {
  return (content) => {
    world.recorder.note({
      ev: 'last_hook',
      agent: operation.agent,
      content: structuredClone(content),
    });
    return changed(operation, content);
  };
}

function allMessages(
  world: World,
  operation: Operation,
): HookMethods['processAllMessagesBeforeReply'] {
  return (messages) => {
    world.recorder.note({ ev: 'all_hook', agent: operation.agent, n: messages.length });
    const { kind, n = 0 } = operation;
    if (kind === 'raise') throw raised(operation.raise ?? {});
    if (kind === 'keep_last') return messages.slice(-n);
    const added = (operation as { readonly message?: ChatMessage }).message;
    return kind === 'prepend' && added ? [structuredClone(added), ...messages] : messages;
  };
}

function changed<T>({ kind, text = '', raise }: Operation, value: T): T {
  if (kind === 'raise') throw raised(raise ?? {});
  if (kind !== 'suffix') return value;
  if (typeof value === 'string') return (value + text) as T;
  const { content } = (value ?? {}) as ChatMessage;
  return typeof content === 'string' ? { ...value, content: content + text } : value;
}
