import {
  AssistantAgent,
  type ChatAgent,
  CodeExecutorAgent,
  type JsonObject,
  ListMemory,
  type OutputContentType,
  UserProxyAgent,
} from '@teamfuse/agentchat';
import { contentModels } from '../messages/content-models.ts';
import { llmMessageToJson } from '../messages/llm-message.ts';
import { ScriptedAgent } from '../script/scripted-agent.ts';
import { ScriptedExecutor } from '../script/scripted-executor.ts';
import { scripted } from '../script/scripted-function.ts';
import type { World } from '../script/world.ts';
import type { AgentSpec, AssistantSpec, CodeExecutorSpec, UserProxySpec } from '../vector.ts';
import type { Builder } from './builder.ts';
import { buildContext } from './built-context.ts';

/** Makes an agent from its description; `path` is what it is noted under. */
export function buildAgent(spec: AgentSpec, path: string, builder: Builder): ChatAgent {
  switch (spec.kind) {
    case 'scripted':
      return new ScriptedAgent(spec, path, builder.world);
    case 'assistant':
      return assistant(spec, path, builder);
    case 'user_proxy':
      return userProxy(spec, path, builder.world);
    case 'code_executor':
      return codeExecutor(spec, path, builder.world);
  }
}

function assistant(spec: AssistantSpec, path: string, builder: Builder): ChatAgent {
  const { output_content_type: name } = spec;
  return new AssistantAgent(spec.name, {
    modelClient: builder.world.model(spec.model),
    description: spec.description,
    systemMessage: spec.system_message,
    tools: spec.tools?.map((tool) => builder.tool(tool, path)),
    handoffs: spec.handoffs,
    modelContext: spec.model_context && buildContext(spec.model_context),
    modelClientStream: spec.model_client_stream,
    reflectOnToolUse: spec.reflect_on_tool_use,
    maxToolIterations: spec.max_tool_iterations,
    toolCallSummaryFormat: spec.tool_call_summary_format,
    outputContentType: name === undefined ? undefined : contentType(name),
    outputContentTypeFormat: spec.output_content_type_format,
    metadata: spec.metadata,
    memory: spec.memory?.map((texts) => {
      return new ListMemory({ memoryContents: texts.map((content) => ({ content })) });
    }),
  });
}

function contentType(name: string): OutputContentType {
  const model = contentModels[name];
  if (model === undefined) throw new Error(`the vectors name an unknown content model: ${name}`);
  return { name, ...model };
}

function userProxy(spec: UserProxySpec, path: string, world: World): ChatAgent {
  const answer = scripted(spec.inputs);
  return new UserProxyAgent(spec.name, {
    description: spec.description,
    inputFunc: async (prompt) => {
      world.noteAgent({ agent: path, event: 'input', prompt });
      return answer();
    },
  });
}

function codeExecutor(spec: CodeExecutorSpec, path: string, world: World): ChatAgent {
  const note = (event: string, details: JsonObject): void =>
    world.noteAgent({ agent: path, event, ...details });
  const approve = spec.approval && scripted(spec.approval);
  return new CodeExecutorAgent(spec.name, {
    description: spec.description,
    systemMessage: spec.system_message,
    codeExecutor: new ScriptedExecutor(spec.executor.results, (blocks) =>
      note('execute', { blocks }),
    ),
    modelClient: spec.model === undefined ? undefined : world.model(spec.model),
    sources: spec.sources,
    supportedLanguages: spec.supported_languages,
    maxRetriesOnError: spec.max_retries_on_error,
    modelClientStream: spec.model_client_stream,
    approvalFunc:
      approve &&
      (({ code, context }) => {
        note('approval', { code, context: context.map(llmMessageToJson) });
        return approve();
      }),
  });
}
