import type { BreakerOptions } from '@teamfuse/core';

/** A judge that asks a model at an OpenAI-compatible endpoint. */
export async function judgeAt(url: string, model: string): Promise<BreakerOptions['judge']> {
  const [{ modelJudge }, { OpenAIChatCompletionClient }] = await Promise.all([
    import('@teamfuse/judge'),
    import('@teamfuse/models'),
  ]);
  return modelJudge(new OpenAIChatCompletionClient({ model, baseURL: url }));
}
