import type { ChatCompletionClient } from '@teamfuse/models';
import { MODEL, type Stage } from '@teamfuse/testing/adapters';

const UNUSED = { promptTokens: 0, completionTokens: 0 };

/** A model whose answers are on the stage. */
export function scriptedModel(agent: string, stage: Stage): ChatCompletionClient {
  return {
    model: MODEL,
    modelInfo: {
      vision: false,
      functionCalling: true,
      jsonOutput: false,
      structuredOutput: false,
      family: 'unknown',
    },
    async create(messages, { signal, tools = [], extraCreateArgs = {} } = {}) {
      const terms = { tools: tools.length, maxTokens: extraCreateArgs.max_tokens as number };
      const prompt = messages.map(({ content }) =>
        typeof content === 'string' ? content : JSON.stringify(content),
      );
      const { text, calls, usage } = await stage.model(agent, prompt, signal, terms);
      const asked = calls.map(({ id, tool, args }) => {
        return { id, name: tool, arguments: JSON.stringify(args) };
      });
      return {
        content: calls.length > 0 ? asked : text,
        finishReason: calls.length > 0 ? 'function_calls' : 'stop',
        usage: { promptTokens: usage.inputTokens, completionTokens: usage.outputTokens },
        cached: false,
      };
    },
    createStream() {
      throw new Error('agents of this kind do not stream');
    },
    actualUsage: () => UNUSED,
    totalUsage: () => UNUSED,
  };
}
