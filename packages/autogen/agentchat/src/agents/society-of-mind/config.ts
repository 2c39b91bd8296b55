import { z } from 'zod';
import { validate } from '../../base/validate.ts';
import type { ComponentLoader } from '../../component/component-loader.ts';
import {
  type ComponentIdentity,
  type ComponentModel,
  componentJson,
  componentModel,
} from '../../component/component-model.ts';
import { dumpOf } from '../../component/dump-of.ts';
import { A_MODEL_CLIENT, A_TEAM } from '../../component/shapes.ts';
import { ChatCompletionContext } from '../../model-context/chat-completion-context.ts';
import type { SocietyOfMindAgentOptions } from './options.ts';

/** Provider name in dumps. */
export const SOCIETY: Pick<ComponentIdentity, 'provider' | 'componentType'> = {
  provider: 'autogen_agentchat.agents.SocietyOfMindAgent',
  componentType: 'agent',
};

const configSchema = z.object({
  name: z.string(),
  team: componentJson,
  model_client: componentJson,
  description: z.string().nullable().optional(),
  instruction: z.string().nullable().optional(),
  response_prompt: z.string().nullable().optional(),
  model_context: componentJson.nullable().optional(),
});

/** Reads the name and the options of a society of mind from its config. */
export function readSocietyConfig(
  config: unknown,
  loader: ComponentLoader,
): [name: string, options: SocietyOfMindAgentOptions] {
  const data = validate(configSchema, config, 'SocietyOfMindAgentConfig');
  const options: SocietyOfMindAgentOptions = {
    team: loader.load(data.team, A_TEAM),
    modelClient: loader.load(data.model_client, A_MODEL_CLIENT),
    description: data.description ?? undefined,
    instruction: data.instruction ?? undefined,
    responsePrompt: data.response_prompt ?? undefined,
    modelContext: data.model_context
      ? loader.load(data.model_context, ChatCompletionContext)
      : undefined,
  };
  return [data.name, options];
}

/** The dump of a society of mind. */
export function societyModel(
  agent: Required<SocietyOfMindAgentOptions> & {
    readonly name: string;
    readonly modelContext: ChatCompletionContext;
  },
): ComponentModel {
  return componentModel(SOCIETY, {
    name: agent.name,
    team: dumpOf(agent.team),
    model_client: dumpOf(agent.modelClient),
    description: agent.description,
    instruction: agent.instruction,
    response_prompt: agent.responsePrompt,
    model_context: agent.modelContext.dumpComponent(),
  });
}
