import type { JsonObject } from '@teamfuse/agentchat';

const versions = (version = 1): JsonObject => ({ version, component_version: version });
const context: JsonObject = {
  provider: 'autogen_core.model_context.UnboundedChatCompletionContext',
  component_type: 'chat_completion_context',
  ...versions(),
  label: 'UnboundedChatCompletionContext',
  config: {},
};

/** The config of an OpenAI client as AutoGen writes it, but for the masked key. */
const openAIConfig: JsonObject = {
  temperature: 0.2,
  model: 'gpt-4o-mini',
  timeout: 30,
  max_retries: 1,
  model_info: {
    vision: true,
    function_calling: true,
    json_output: true,
    family: 'gpt-4o',
    structured_output: true,
  },
  base_url: 'http://127.0.0.1:4010/v1',
};

/** A team of a writer and a runner of code, as AutoGen 0.7.5 dumps it. */
export function teamJson(workDir: string): JsonObject {
  return {
    provider: 'autogen_agentchat.teams.RoundRobinGroupChat',
    component_type: 'team',
    ...versions(),
    label: 'RoundRobinGroupChat',
    config: {
      name: 'RoundRobinGroupChat',
      description: 'A team of agents.',
      participants: [writer, runner(workDir)],
      termination_condition: condition,
      emit_team_events: false,
    },
  };
}

const writer: JsonObject = {
  provider: 'autogen_agentchat.agents.AssistantAgent',
  component_type: 'agent',
  ...versions(2),
  label: 'AssistantAgent',
  config: {
    name: 'writer',
    model_client: {
      provider: 'autogen_ext.models.openai.OpenAIChatCompletionClient',
      component_type: 'model',
      ...versions(),
      label: 'OpenAIChatCompletionClient',
      config: openAIConfig,
    },
    workbench: [
      {
        provider: 'autogen_core.tools.StaticStreamWorkbench',
        component_type: 'workbench',
        ...versions(),
        label: 'StaticStreamWorkbench',
        config: { tools: [], tool_overrides: {} },
      },
    ],
    model_context: context,
    description: 'Writes code.',
    system_message: 'Write code, then say TERMINATE.',
    model_client_stream: false,
    reflect_on_tool_use: false,
    tool_call_summary_format: '{result}',
    max_tool_iterations: 1,
    metadata: {},
  },
};

function runner(workDir: string): JsonObject {
  return {
    provider: 'autogen_agentchat.agents.CodeExecutorAgent',
    component_type: 'agent',
    ...versions(),
    label: 'CodeExecutorAgent',
    config: {
      name: 'runner',
      code_executor: {
        provider: 'autogen_ext.code_executors.local.LocalCommandLineCodeExecutor',
        component_type: 'code_executor',
        ...versions(),
        label: 'LocalCommandLineCodeExecutor',
        config: {
          timeout: 60,
          work_dir: workDir,
          functions_module: 'functions',
          cleanup_temp_files: true,
        },
      },
      description: 'Runs code.',
      sources: ['writer'],
      system_message: 'Run it.',
      model_client_stream: false,
      model_context: context,
      supported_languages: ['python', 'sh'],
    },
  };
}

const condition: JsonObject = {
  provider: 'autogen_agentchat.base.OrTerminationCondition',
  component_type: 'termination',
  ...versions(),
  label: 'OrTerminationCondition',
  config: {
    conditions: [
      {
        provider: 'autogen_agentchat.conditions.MaxMessageTermination',
        component_type: 'termination',
        ...versions(),
        label: 'MaxMessageTermination',
        config: { max_messages: 10, include_agent_event: false },
      },
      {
        provider: 'autogen_agentchat.conditions.TextMentionTermination',
        component_type: 'termination',
        ...versions(),
        label: 'TextMentionTermination',
        config: { text: 'TERMINATE' },
      },
    ],
  },
};
