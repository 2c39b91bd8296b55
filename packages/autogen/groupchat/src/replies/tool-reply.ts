import type { ConversableAgent } from '../agents/conversable-agent.ts';
import type { FunctionCallRequest, ToolResponse } from '../messages/message.ts';
import type { ReplyFunction } from './reply-function.ts';

/** Executes the function a message asks for in the older form. */
export const generateFunctionCallReply: ReplyFunction = async (recipient, messages, sender) => {
  const message = (messages ?? recipient.conversations.with(sender)).at(-1);
  if (!message?.function_call) return [false, null];
  const content = await execute(recipient, message.function_call, null);
  if (content === null) return [true, null];
  return [true, { name: message.function_call.name ?? '', role: 'function', content }];
};

/** Executes the tools a message asks for, in order, and answers with all their results. */
export const generateToolCallsReply: ReplyFunction = async (recipient, messages, sender) => {
  const message = (messages ?? recipient.conversations.with(sender)).at(-1);
  const responses: ToolResponse[] = [];
  for (const call of message?.tool_calls ?? []) {
    const content = await execute(recipient, call.function ?? {}, call.id ?? null);
    if (content === null) return [true, null];
    const id = call.id === undefined || call.id === null ? {} : { tool_call_id: call.id };
    responses.push({ ...id, role: 'tool', content });
  }
  if (responses.length === 0) return [false, null];
  const content = responses.map((response) => response.content).join('\n\n');
  return [true, { role: 'tool', tool_responses: responses, content }];
};

async function execute(
  agent: ConversableAgent,
  call: FunctionCallRequest,
  callId: string | null,
): Promise<string | null> {
  const asked = {
    kind: 'tool-call',
    name: call.name ?? '',
    callId,
    arguments: call.arguments ?? '{}',
  } as const;
  const outcome = await agent.step(asked, async (signal) => {
    const { succeeded, content } = await agent.executeFunction(call, signal && { signal });
    agent.emit({ ...asked, succeeded, content });
    return { succeeded, content };
  });
  return outcome?.content ?? null;
}
