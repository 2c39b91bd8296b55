import type { ConversableAgent } from '../agents/conversable-agent.ts';
import { generateOaiReply } from './llm-reply.ts';
import type { ReplyChain } from './reply-chain.ts';
import type { ReplyFunction } from './reply-function.ts';
import { checkTerminationAndHumanReply } from './termination-reply.ts';
import { generateFunctionCallReply, generateToolCallsReply } from './tool-reply.ts';
import { anySender } from './trigger.ts';

const methodNames = [
  'checkTerminationAndHumanReply',
  'generateFunctionCallReply',
  'generateToolCallsReply',
  'generateCodeExecutionReply',
  'generateCodeExecutionReplyUsingExecutor',
  'generateOaiReply',
];

/** Warns of methods that are meant to override a built-in reply function: the chain holds functions, as AutoGen's does. */
export function warnOfOverrides(agent: ConversableAgent): void {
  for (const method of methodNames) {
    if (!(method in agent)) continue;
    agent.io.warn(
      `${agent.name}: the method ${method} has no effect, because the reply chain does not call it; pass a function to replaceReplyFunc or registerReply`,
    );
  }
}

/** Fills the chain of a new agent: termination and people, functions, tools, code, and the model last. */
export function registerBuiltInReplies(chain: ReplyChain, codeReply: ReplyFunction | null): void {
  chain.registerBuiltIn(anySender, generateOaiReply);
  if (codeReply) chain.register(anySender, codeReply);
  chain.registerBuiltIn(anySender, generateToolCallsReply);
  chain.registerBuiltIn(anySender, generateFunctionCallReply);
  chain.registerBuiltIn(anySender, checkTerminationAndHumanReply);
}
