import type { TeamModel } from '@teamfuse/adapter-kit';
import { textOf } from './messages.ts';
import { type AskableModel, isAskable } from './shapes.ts';

type Client = TeamModel['client'];

/** The model that a judge may ask; none if it is known by its name alone. */
export function judgeModel(agent: string, model: unknown): TeamModel | undefined {
  return isAskable(model) ? { agent, client: clientOf(model) } : undefined;
}

function clientOf(model: AskableModel): Client {
  const named: unknown = Reflect.get(model, 'model') ?? Reflect.get(model, 'modelName');
  const create = async (
    messages: readonly { readonly role?: string; readonly content: string }[],
    { signal }: { readonly signal: AbortSignal },
  ): Promise<object> => {
    const asked = messages.map(({ role = 'user', content }) => [role, content] as const);
    const answer = await model.invoke(asked, { signal });
    return { content: textOf(answer), usage: answer.usage_metadata };
  };
  return { ...(typeof named === 'string' && { model: named }), create } as unknown as Client;
}
