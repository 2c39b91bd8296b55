import { type Confirm, InvalidOptionError } from '@teamfuse/core';
import type { Pricing } from '@teamfuse/core/kit';
import { type JudgeModel, modelJudge } from '@teamfuse/judge';
import { unguarded } from '../context/shared-state.ts';
import { modelName, type TeamModel } from './team-model.ts';

/**
 * A judge that asks the model of the team, or another one through the same client.
 *
 * It bypasses all guards: its call is no step of the team, and waits for no breaker, whatever taps the client has.
 *
 * @throws {@link InvalidOptionError} if the client cannot ask the model of this name.
 */
export function teamJudge(
  { client, agent, prices }: TeamModel,
  choice: true | string,
  pricing: Pricing,
): Confirm {
  const isOwn = choice === true || choice === modelName(client);
  const asked = isOwn ? client : clientFor(choice, client, agent);
  // The declared model is that of the client, and not of another model that is asked through it.
  const book = pricing.with(isOwn ? { prices } : { models: {} });
  const confirm = modelJudge(asked, {
    model: modelName(asked),
    prices: { price: (model, usage) => book.price(agent, model, usage) },
  });
  return (question) => unguarded(() => confirm(question));
}

function clientFor(model: string, client: JudgeModel, agent: string): JudgeModel {
  const { withModel } = client as { readonly withModel?: unknown };
  if (typeof withModel === 'function') return withModel.call(client, model) as JudgeModel;
  const sentence = `option 'judge': the client of '${agent}' cannot ask another model (it has no withModel()); use judge: true`;
  throw new InvalidOptionError('judge', 'true', model, sentence);
}
