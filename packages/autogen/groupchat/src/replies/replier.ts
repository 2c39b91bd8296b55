import type { Stop } from '../chats/stop.ts';
import type { IOStream } from '../io/io-stream.ts';
import type { Agent } from '../messages/agent.ts';
import type { Conversations } from '../messages/conversations.ts';
import type { ChatMessage, FunctionCallRequest } from '../messages/message.ts';
import type { ModelUser } from '../models/model-access.ts';
import type { Admitter, Emitter } from '../taps/happening.ts';
import type { FunctionOutcome, ToolCallOptions } from '../tools/execute-function.ts';
import type { AutoReplies } from './auto-replies.ts';
import type { ReplyFunctionOf } from './reply-function.ts';

/** When a person is asked: at every reply, when the chat would end, or never. */
export type HumanInputMode = 'ALWAYS' | 'TERMINATE' | 'NEVER';

/** Whether a received message ends the chat. */
export type TerminationTest = (message: ChatMessage) => boolean;

/** The members of an agent that the built-in reply functions use. */
export interface Replier extends Emitter, Admitter, ModelUser {
  readonly name: string;
  readonly io: IOStream;
  readonly conversations: Conversations;
  readonly autoReplies: AutoReplies;
  readonly silences: Map<Agent | null, Stop>;
  readonly humanInputMode: HumanInputMode;
  readonly isTerminationMsg: TerminationTest;
  readonly systemMessages: readonly ChatMessage[];
  getHumanInput(prompt: string): Promise<string>;
  executeFunction(call: FunctionCallRequest, options?: ToolCallOptions): Promise<FunctionOutcome>;
}

/** A reply function for any agent with these members. */
export type BuiltInReply = ReplyFunctionOf<Replier>;
