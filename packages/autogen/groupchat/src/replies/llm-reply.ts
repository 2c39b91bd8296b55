import type { ReplyFunction } from './reply-function.ts';

/** Replies with the agent's model; not final when there is no model or its answer is empty. */
export const generateOaiReply: ReplyFunction = async (recipient, messages, sender) => {
  const { client } = recipient;
  if (!client) return [false, null];
  const history = messages ?? recipient.conversations.with(sender);
  const prepared = client.prepare([...recipient.systemMessages, ...history]);
  const { model } = client;
  const request = {
    kind: 'model-request',
    purpose: 'reply',
    model,
    messages: prepared,
  } as const;
  const reply = await recipient.step(request, (signal, toolless) =>
    client.create(recipient, prepared, 'reply', signal, toolless),
  );
  if (reply === undefined) return [true, null];
  return reply === null ? [false, null] : [true, reply];
};
