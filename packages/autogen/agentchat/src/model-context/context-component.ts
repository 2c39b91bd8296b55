import type { LLMMessage } from '@teamfuse/models';
import { z } from 'zod';
import { validate } from '../base/validate.ts';
import type { ComponentClass } from '../component/component-loader.ts';
import { type ComponentModel, componentModel } from '../component/component-model.ts';
import { llmMessageJson, llmMessageToJson } from '../messages/llm-json.ts';
import type { ChatCompletionContext } from './chat-completion-context.ts';

const MODULE = 'autogen_core.model_context';

/** Schema of the config all contexts share. */
export const contextConfig: z.ZodObject<{
  initial_messages: z.ZodOptional<z.ZodNullable<z.ZodArray<typeof llmMessageJson>>>;
}> = z.object({ initial_messages: z.array(llmMessageJson).nullable().optional() });

/** The {@link ComponentClass} of a context. */
export function contextClass<TContext, TConfig>(
  label: string,
  schema: z.ZodType<TConfig>,
  make: (config: TConfig) => TContext,
): ComponentClass<TContext> {
  return {
    provider: `${MODULE}.${label}`,
    load: (config) => make(validate(schema, config, `${label}Config`)),
  };
}

/** The dump of a context. */
export function contextModel(
  label: string,
  { initialMessages }: ChatCompletionContext,
  config: Readonly<Record<string, unknown>> = {},
): ComponentModel {
  return componentModel(
    { provider: `${MODULE}.${label}`, componentType: 'chat_completion_context' },
    { ...config, initial_messages: dumped(initialMessages) },
  );
}

function dumped(messages: readonly LLMMessage[]): unknown {
  return messages.length === 0 ? null : messages.map(llmMessageToJson);
}
