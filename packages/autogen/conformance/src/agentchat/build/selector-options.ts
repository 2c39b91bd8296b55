import type {
  CandidateFunction,
  ChatItem,
  JsonObject,
  JsonValue,
  SelectorFunction,
  SelectorGroupChatOptions,
} from '@teamfuse/agentchat';
import { VectorError } from '../messages/raised-error.ts';
import { scripted } from '../script/scripted-function.ts';
import type { World } from '../script/world.ts';
import type { SelectorFunctionSpec, TeamSpec } from '../vector.ts';
import { buildContext } from './built-context.ts';

/** The options only a SelectorGroupChat has. */
export function selectorOptions(
  spec: TeamSpec,
  path: string,
  world: World,
): SelectorGroupChatOptions {
  const { selector_func, candidate_func, model_context } = spec;
  return {
    modelClient: world.model(spec.model),
    selectorPrompt: spec.selector_prompt,
    allowRepeatedSpeaker: spec.allow_repeated_speaker,
    maxSelectorAttempts: spec.max_selector_attempts,
    modelClientStreaming: spec.model_client_streaming,
    modelContext: model_context && buildContext(model_context),
    selectorFunc:
      selector_func && (noted(selector_func, 'selector', path, world) as SelectorFunction),
    candidateFunc:
      candidate_func && (noted(candidate_func, 'candidate', path, world) as CandidateFunction),
  };
}

function noted(
  { results, async }: SelectorFunctionSpec,
  func: string,
  team: string,
  world: World,
): (thread: readonly ChatItem[]) => JsonValue | Promise<JsonValue> {
  const next = scripted(results);
  const call = (thread: readonly ChatItem[]): JsonValue => {
    const note = { team, func, thread: thread.map(({ type, source }) => `${type}|${source}`) };
    try {
      const returned = next();
      world.notes.selectors.push({ ...note, returned });
      return returned;
    } catch (error) {
      if (error instanceof VectorError) {
        world.notes.selectors.push({ ...note, error: { ...error.spec } as JsonObject });
      }
      throw error;
    }
  };
  return async ? async (thread) => call(thread) : call;
}
