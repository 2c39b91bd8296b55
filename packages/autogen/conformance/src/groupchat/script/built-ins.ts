import {
  type ConversableAgent,
  checkTerminationAndHumanReply,
  generateFunctionCallReply,
  generateOaiReply,
  generateToolCallsReply,
  type ReplyFunction,
  runChat,
} from '@teamfuse/groupchat';

const names: ReadonlyMap<unknown, string> = new Map<unknown, string>([
  [checkTerminationAndHumanReply, 'check_termination_and_human_reply'],
  [generateFunctionCallReply, 'generate_function_call_reply'],
  [generateToolCallsReply, 'generate_tool_calls_reply'],
  [generateOaiReply, 'generate_oai_reply'],
  [runChat, 'run_chat'],
]);
// These two are made anew for each agent.
const codeNames: Readonly<Record<string, string>> = {
  generateCodeExecutionReply: 'generate_code_execution_reply',
  generateCodeExecutionReplyUsingExecutor: '_generate_code_execution_reply_using_executor',
};

/** The name a built-in reply function has in traces. */
export function builtInName(replyFunc: ReplyFunction): string | undefined {
  return names.get(replyFunc) ?? codeNames[replyFunc.name];
}

/** The built-in reply functions an agent has under a name. */
export function builtInsNamed(agent: ConversableAgent, name: string): ReplyFunction[] {
  const functions = agent.replyFuncList.map(({ replyFunc }) => replyFunc);
  return functions.filter((replyFunc) => builtInName(replyFunc) === name);
}
