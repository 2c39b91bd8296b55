import type { JsonObject, JsonValue } from '@teamfuse/agentchat';
import type { FunctionCall, LLMMessage } from '@teamfuse/models';

/** A message to a model in the form the vectors record it. */
export function llmMessageToJson(message: LLMMessage): JsonObject {
  const { type } = message;
  switch (type) {
    case 'SystemMessage':
      return { content: message.content, type };
    case 'UserMessage':
      return { content: message.content as JsonValue, source: message.source, type };
    case 'AssistantMessage': {
      const { content, thought = null, source } = message;
      const answer = typeof content === 'string' ? content : content.map(callToJson);
      return { content: answer, thought, source, type };
    }
    case 'FunctionExecutionResultMessage': {
      const content = message.content.map(({ content, name, callId, isError = null }) => ({
        content,
        name,
        call_id: callId,
        is_error: isError,
      }));
      return { content, type };
    }
  }
}

/** A message to a model out of the form the vectors give it in. */
export function llmMessageFromJson(data: JsonObject): LLMMessage {
  if (data.type !== 'FunctionExecutionResultMessage') return data as unknown as LLMMessage;
  const content = (data.content as JsonObject[]).map(({ call_id, is_error, ...rest }) => ({
    ...rest,
    callId: call_id,
    isError: is_error,
  }));
  return { ...data, content } as unknown as LLMMessage;
}

function callToJson({ id, name, arguments: args }: FunctionCall): JsonObject {
  return { id, arguments: args, name };
}
