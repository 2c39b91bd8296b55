import { AssistantAgent } from '../agents/assistant-agent.ts';
import { CodeExecutorAgent } from '../agents/code-executor-agent.ts';
import { MessageFilterAgent } from '../agents/message-filter-agent.ts';
import { SocietyOfMindAgent } from '../agents/society-of-mind-agent.ts';
import { UserProxyAgent } from '../agents/user-proxy-agent.ts';
import { AndTerminationCondition, OrTerminationCondition } from '../base/termination-condition.ts';
import { ExternalTermination } from '../conditions/external-termination.ts';
import { FunctionCallTermination } from '../conditions/function-call-termination.ts';
import { HandoffTermination } from '../conditions/handoff-termination.ts';
import { MaxMessageTermination } from '../conditions/max-message-termination.ts';
import { SourceMatchTermination } from '../conditions/source-match-termination.ts';
import { StopMessageTermination } from '../conditions/stop-message-termination.ts';
import { TextMentionTermination } from '../conditions/text-mention-termination.ts';
import { TextMessageTermination } from '../conditions/text-message-termination.ts';
import { TimeoutTermination } from '../conditions/timeout-termination.ts';
import { TokenUsageTermination } from '../conditions/token-usage-termination.ts';
import { ListMemory } from '../memory/list-memory.ts';
import { BufferedChatCompletionContext } from '../model-context/buffered-context.ts';
import { HeadAndTailChatCompletionContext } from '../model-context/head-and-tail-context.ts';
import { UnboundedChatCompletionContext } from '../model-context/unbounded-context.ts';
import { GraphFlow } from '../teams/graph-flow/graph-flow.ts';
import { MagenticOneGroupChat } from '../teams/magentic-one/magentic-one-group-chat.ts';
import { RoundRobinGroupChat } from '../teams/round-robin-group-chat.ts';
import { SelectorGroupChat } from '../teams/selector/selector-group-chat.ts';
import { Swarm } from '../teams/swarm.ts';
import { AgentTool } from '../tools/agent-tool.ts';
import { StaticWorkbench } from '../tools/static-workbench.ts';
import { TeamTool } from '../tools/team-tool.ts';
import type { ComponentClass } from './component-loader.ts';
import { localExecutorComponent } from './local-executor.ts';
import { openAIClientComponent } from './openai-client.ts';
import { replayClientComponent } from './replay-client.ts';

/**
 * The components that can be loaded by default: the classes of this package, the model clients and the code executor.
 *
 * @example
 * ```ts
 * const registry = new ComponentRegistry(builtInComponents);
 * const copy = registry.load(team.dumpComponent(), BaseGroupChat);
 * ```
 */
export const builtInComponents: readonly ComponentClass[] = [
  AndTerminationCondition.component,
  OrTerminationCondition.component,
  ExternalTermination.component,
  FunctionCallTermination.component,
  HandoffTermination.component,
  MaxMessageTermination.component,
  SourceMatchTermination.component,
  StopMessageTermination.component,
  TextMentionTermination.component,
  TextMessageTermination.component,
  TimeoutTermination.component,
  TokenUsageTermination.component,
  AssistantAgent.component,
  CodeExecutorAgent.component,
  MessageFilterAgent.component,
  SocietyOfMindAgent.component,
  UserProxyAgent.component,
  GraphFlow.component,
  MagenticOneGroupChat.component,
  RoundRobinGroupChat.component,
  SelectorGroupChat.component,
  Swarm.component,
  BufferedChatCompletionContext.component,
  HeadAndTailChatCompletionContext.component,
  UnboundedChatCompletionContext.component,
  ListMemory.component,
  AgentTool.component,
  StaticWorkbench.component,
  TeamTool.component,
  openAIClientComponent,
  replayClientComponent,
  localExecutorComponent,
];
