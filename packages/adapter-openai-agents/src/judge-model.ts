import type { TeamModel } from '@teamfuse/adapter-kit';
import { nameOfModel, textOf } from './guarded-model.ts';
import { type GuardableRunner, isModel, type ModelRequest } from './shapes.ts';

type Client = TeamModel['client'];

/** The model that a judge may ask: that of the runner. */
export function modelOfRunner({ config }: GuardableRunner): TeamModel {
  const { model } = config;
  const name = isModel(model) ? nameOfModel(model, undefined) : (model ?? 'default');
  const create = async (
    messages: readonly { readonly role?: string; readonly content: string }[],
    { signal }: { readonly signal: AbortSignal },
  ): Promise<object> => {
    const asked = isModel(model)
      ? model
      : await config.modelProvider.getModel(typeof model === 'string' ? model : undefined);
    const { output, usage } = await asked.getResponse(requestOf(messages, signal));
    const { inputTokens: promptTokens, outputTokens: completionTokens } = usage;
    return { content: output.map(textOf).join(''), usage: { promptTokens, completionTokens } };
  };
  return { agent: 'runner', client: { model: name, create } as unknown as Client };
}

function requestOf(
  messages: readonly { readonly role?: string; readonly content: string }[],
  signal: AbortSignal,
): ModelRequest {
  const input = messages.map(({ role, content }) => ({
    type: 'message',
    role: role === 'system' ? 'system' : 'user',
    content,
  }));
  const none = { tools: [], handoffs: [], tracing: false, toolsExplicitlyProvided: true };
  return { input, modelSettings: {}, outputType: 'text', ...none, signal } as ModelRequest;
}
