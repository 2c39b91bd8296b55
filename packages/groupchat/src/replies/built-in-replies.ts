import { generateOaiReply } from './llm-reply.ts';
import type { BuiltInReply, Replier } from './replier.ts';
import type { ReplyChain } from './reply-chain.ts';
import { checkTerminationAndHumanReply } from './termination-reply.ts';
import { generateFunctionCallReply, generateToolCallsReply } from './tool-reply.ts';
import { anySender } from './trigger.ts';

/** Fills the chain of a new agent: termination and people, functions, tools, code, and the model last. */
export function registerBuiltInReplies<TAgent extends Replier>(
  chain: ReplyChain<TAgent>,
  codeReply: BuiltInReply | null,
): void {
  chain.registerBuiltIn(anySender, generateOaiReply);
  if (codeReply) chain.register(anySender, codeReply);
  chain.registerBuiltIn(anySender, generateToolCallsReply);
  chain.registerBuiltIn(anySender, generateFunctionCallReply);
  chain.registerBuiltIn(anySender, checkTerminationAndHumanReply);
}
