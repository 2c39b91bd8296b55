import { z } from 'zod';
import type { JsonObject } from '../../base/json.ts';
import { validate } from '../../base/validate.ts';
import type { ComponentLoader } from '../../component/component-loader.ts';
import {
  type ComponentIdentity,
  type ComponentModel,
  componentJson,
  componentModel,
} from '../../component/component-model.ts';
import { dumpOf } from '../../component/dump-of.ts';
import { A_MEMORY, A_MODEL_CLIENT, A_TOOL, A_WORKBENCH } from '../../component/shapes.ts';
import { ChatCompletionContext } from '../../model-context/chat-completion-context.ts';
import type { AssistantAgentOptions } from './options.ts';
import type { OutputContentType } from './output-content.ts';
import type { AssistantParts } from './parts.ts';

/** Provider name in dumps. */
export const ASSISTANT: Required<Omit<ComponentIdentity, 'description'>> = {
  provider: 'autogen_agentchat.agents.AssistantAgent',
  componentType: 'agent',
  version: 2,
};

const handoff = z.object({
  target: z.string(),
  description: z.string().optional(),
  name: z.string().optional(),
  message: z.string().optional(),
});
const structured = z.object({
  config: z.object({
    json_schema: z.record(z.string(), z.json()),
    format_string: z.string().nullable().default(null),
    content_model_name: z.string().default('GeneratedContentModel'),
  }),
});
const configSchema = z.object({
  name: z.string(),
  model_client: componentJson,
  tools: z.array(componentJson).nullable().optional(),
  workbench: z.array(componentJson).nullable().optional(),
  handoffs: z
    .array(z.union([z.string(), handoff]))
    .nullable()
    .optional(),
  model_context: componentJson.nullable().optional(),
  memory: z.array(componentJson).nullable().optional(),
  description: z.string(),
  system_message: z.string().nullable().optional(),
  model_client_stream: z.boolean().default(false),
  reflect_on_tool_use: z.boolean(),
  tool_call_summary_format: z.string(),
  max_tool_iterations: z.int().min(1).default(1),
  metadata: z.record(z.string(), z.string()).nullable().optional(),
  structured_message_factory: structured.nullable().optional(),
});

/** Reads the name and the options of an assistant from its config. */
export function readAssistantConfig(
  config: unknown,
  loader: ComponentLoader,
): [name: string, options: AssistantAgentOptions] {
  const data = validate(configSchema, config, 'AssistantAgentConfig');
  const benches = (data.workbench ?? []).map((bench) => loader.load(bench, A_WORKBENCH));
  const output = data.structured_message_factory?.config;
  const options: AssistantAgentOptions = {
    modelClient: loader.load(data.model_client, A_MODEL_CLIENT),
    tools: data.tools?.map((tool) => loader.load(tool, A_TOOL)),
    workbench: benches.length === 0 ? undefined : benches,
    handoffs: data.handoffs ?? [],
    modelContext: data.model_context
      ? loader.load(data.model_context, ChatCompletionContext)
      : undefined,
    memory: data.memory?.map((memory) => loader.load(memory, A_MEMORY)),
    description: data.description,
    systemMessage: data.system_message ?? null,
    modelClientStream: data.model_client_stream,
    reflectOnToolUse: data.reflect_on_tool_use,
    toolCallSummaryFormat: data.tool_call_summary_format,
    maxToolIterations: data.max_tool_iterations,
    metadata: data.metadata ?? {},
    outputContentType: output && contentTypeOf(output.content_model_name, output.json_schema),
    outputContentTypeFormat: output?.format_string,
  };
  return [data.name, options];
}

/** The dump of an assistant. */
export function assistantModel(
  agent: AssistantParts & { readonly description: string; readonly metadata: JsonObject },
): ComponentModel {
  return componentModel(ASSISTANT, {
    name: agent.name,
    model_client: dumpOf(agent.modelClient),
    workbench: agent.workbench.map(dumpOf),
    handoffs: agent.handoffs.length === 0 ? null : agent.handoffs,
    model_context: agent.modelContext.dumpComponent(),
    memory: agent.memory.length === 0 ? null : agent.memory.map(dumpOf),
    description: agent.description,
    system_message: agent.systemMessage,
    model_client_stream: agent.modelClientStream,
    reflect_on_tool_use: agent.reflectOnToolUse,
    tool_call_summary_format: agent.toolCallSummaryFormat,
    max_tool_iterations: agent.maxToolIterations,
    metadata: agent.metadata,
    structured_message_factory: factoryModel(agent),
  });
}

/** AutoGen stores the kind of content as a separate component. */
function factoryModel({
  outputContent,
  outputContentTypeFormat,
}: AssistantParts): ComponentModel | null {
  if (outputContent === undefined) return null;
  return componentModel(
    {
      provider: 'autogen_agentchat.messages.StructuredMessageFactory',
      componentType: 'structured_message',
    },
    {
      json_schema: outputContent.jsonOutput.schema,
      format_string: outputContentTypeFormat,
      content_model_name: outputContent.jsonOutput.name,
    },
  );
}

function contentTypeOf(name: string, jsonSchema: JsonObject): OutputContentType {
  // The schema is closed for the model's sake; an answer with an extra field is still accepted.
  const open = JSON.parse(JSON.stringify(jsonSchema), (key, value) =>
    key === 'additionalProperties' && value === false ? undefined : value,
  );
  return { name, schema: z.fromJSONSchema(open), jsonSchema };
}
