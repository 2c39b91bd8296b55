import type { PriceBook } from '@teamfuse/core';
import type { JudgeModel } from '@teamfuse/judge';

/** The model of a team, as an adapter finds it: a judge may ask it. */
export interface TeamModel {
  /**
   * A chat completion client, or anything else that `modelJudge()` takes, as it was before it was tapped. With a member
   * `withModel(name)`, it can be asked for another model.
   */
  readonly client: JudgeModel;
  /** The agent or manager that it belongs to. */
  readonly agent: string;
  /** Prices that replace those of the guard. */
  readonly prices?: PriceBook | undefined;
}

/** The name of a client's model; empty if it has none. */
export function modelName(client: JudgeModel): string {
  const { model, modelId = model } = client as {
    readonly model?: unknown;
    readonly modelId?: unknown;
  };
  return typeof modelId === 'string' ? modelId : '';
}
