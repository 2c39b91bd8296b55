import {
  Agent,
  AssistantAgent,
  ConversableAgent,
  type ConversableAgentOptions,
  UserProxyAgent,
} from '@teamfuse/groupchat';
import { scriptedReply } from '../script/scripted-reply.ts';
import type { World } from '../script/world.ts';
import type { AgentSpec } from '../vector.ts';
import { codeConfig } from './code-spec.ts';
import { terminationTest } from './termination-spec.ts';

/** Builds an agent of a case and takes it into the world. */
export async function buildAgent(world: World, spec: AgentSpec): Promise<void> {
  const options = await agentOptions(world, spec.name, spec);
  const agent = construct(spec.cls, { ...options, name: spec.name });
  world.add(agent);
  if (!spec.brain) return;
  const brain = scriptedReply(world, 'brain', spec.brain);
  world.noteFunction(spec.name, 'brain', brain);
  agent.registerReply([Agent, null], brain, { position: agent.replyFuncList.length });
}

/** The options that agents and managers have in common. */
export async function agentOptions(
  world: World,
  name: string,
  spec: Omit<AgentSpec, 'name'>,
): Promise<Omit<ConversableAgentOptions, 'name'>> {
  const { is_termination_msg: termination, code_execution: code, tools } = spec;
  const checks = world.recorder.counts.term_checks;
  const bodies = (tools ?? []).map((tool) => [tool, world.tool(name, tool)]);
  return {
    io: world.io,
    ...given('systemMessage', spec.system_message),
    ...given('description', spec.description),
    ...given('humanInputMode', spec.human_input_mode),
    ...given('maxConsecutiveAutoReply', spec.max_consecutive_auto_reply),
    ...given('defaultAutoReply', spec.default_auto_reply),
    ...(termination ? { isTerminationMsg: terminationTest(termination, name, checks) } : {}),
    ...(tools ? { functionMap: Object.fromEntries(bodies) } : {}),
    ...(code ? { codeExecutionConfig: await codeConfig(world, code) } : {}),
    ...(spec.model === undefined ? {} : { llmConfig: world.models.config(spec.model) }),
  };
}

function construct(cls: string | undefined, options: ConversableAgentOptions): ConversableAgent {
  if (cls === 'AssistantAgent') return new AssistantAgent(options);
  if (cls === 'UserProxyAgent') return new UserProxyAgent(options);
  if (cls === undefined || cls === 'ConversableAgent') return new ConversableAgent(options);
  throw new TypeError(`unknown class ${cls}`);
}

function given<Key extends string, Value>(
  key: Key,
  value: Value | undefined,
): { readonly [K in Key]?: Value } {
  return (value === undefined ? {} : { [key]: value }) as { readonly [K in Key]?: Value };
}
