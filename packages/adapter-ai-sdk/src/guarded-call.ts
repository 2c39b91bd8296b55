import { comesFrom, isAnswerDue } from '@teamfuse/adapter-kit';
import {
  type Caller,
  type CallScopes,
  guardedModel,
  guardedTools,
  modelIn,
} from '@teamfuse/adapter-kit/language-models';
import type { CallSettings, StopCondition } from './shapes.ts';

/** The settings of a call with its model and tools guarded, which ends before the next step once its run has tripped. */
export function guardedCall<T extends CallSettings>(settings: T, caller: Caller): T {
  const { model, tools, stopWhen, prepareStep } = settings;
  return {
    ...settings,
    model: guardedModel(modelIn(model, caller.agent), caller),
    ...(tools && { tools: guardedTools(tools, caller) }),
    // Without a condition, a call has one step.
    ...(stopWhen && { stopWhen: [stopWhen, whenTripped(caller)].flat() }),
    ...(prepareStep && { prepareStep: guardedStep(prepareStep, caller) }),
  };
}

/** Ends a run between two steps. */
export function whenTripped({
  context,
  scopes,
}: Pick<Caller, 'context'> & { readonly scopes: Pick<CallScopes, 'ofTool'> }): StopCondition {
  return ({ steps }) => {
    const last = Object(steps.at(-1)) as { toolCalls?: readonly { toolCallId: string }[] };
    // A call that the provider has answered belongs to no run.
    const known = last.toolCalls?.map(({ toolCallId }) => scopes.ofTool(toolCallId)).find(Boolean);
    const { run } = known ?? {};
    if (run?.trip === undefined || context.within(known, isAnswerDue, context)) return false;
    comesFrom(run, last);
    return context.isActive;
  };
}

/** A step may ask another model. */
function guardedStep(prepare: (step: object) => unknown, caller: Caller) {
  return async (step: object): Promise<unknown> => {
    const prepared = (await prepare(step)) as CallSettings | undefined;
    if (prepared?.model === undefined) return prepared;
    return { ...prepared, model: guardedModel(modelIn(prepared.model, caller.agent), caller) };
  };
}
