import { ConversableAgent } from '../agents/conversable-agent.ts';
import { coloured } from '../io/io-stream.ts';
import type { Agent } from '../messages/agent.ts';
import { contentText } from '../messages/content.ts';
import type { ChatMessage } from '../messages/message.ts';
import type { ReplyFunction } from '../replies/reply-function.ts';
import { formatTemplate } from '../text/format-template.ts';
import { agentList, type GroupChat } from './group-chat.ts';
import { mentionedAgents } from './mentions.ts';

/**
 * Lets a model choose the next speaker, in a chat between two hidden agents.
 *
 * The checking agent asks the other again when its answer names none or several of the agents. When the
 * attempts are used up, the next member in the ring speaks.
 */
export async function autoSelectSpeaker(
  groupchat: GroupChat,
  lastSpeaker: Agent,
  selector: ConversableAgent,
  agents: readonly Agent[],
): Promise<Agent> {
  const unseen = { taps: selector.taps, hiddenFor: selector, io: selector.io };
  const attempts = 1 + groupchat.maxRetriesForSelectingSpeaker;
  const outcome: Outcome = { chosen: null };
  const checking = new ConversableAgent({ ...unseen, name: checkingName });
  checking.registerReply(
    [ConversableAgent, null],
    answerCheck(groupchat, agents, attempts, checking, outcome),
    { removeOtherReplyFuncs: true },
  );
  const transcript = withoutOpenCalls(groupchat.messages);
  const choosing = new ConversableAgent({
    ...unseen,
    name: 'speaker_selection_agent',
    systemMessage: groupchat.selectSpeakerMsg(agents),
    chatMessages: new Map([[checking, transcript]]),
    llmConfig: groupchat.selectSpeakerAutoLlmConfig ?? selector.client?.config ?? false,
    humanInputMode: 'NEVER',
  });
  const { selectSpeakerTransformMessages: transform } = groupchat;
  if (transform) choosing.registerHook('processAllMessagesBeforeReply', transform);
  const prompt = groupchat.selectSpeakerPrompt(agents);
  await checking.initiateChat(choosing, {
    message: prompt === null ? (transcript.at(-1) ?? '') : request(groupchat, prompt),
    maxTurns: 2 * attempts,
    clearHistory: false,
    silent: !groupchat.selectSpeakerAutoVerbose,
  });
  const chosen = outcome.chosen === null ? null : groupchat.agentByName(outcome.chosen);
  return chosen ?? groupchat.nextAgent(lastSpeaker, agents);
}

const checkingName = 'checking_agent';

interface Outcome {
  chosen: string | null;
}

function answerCheck(
  groupchat: GroupChat,
  agents: readonly Agent[],
  attempts: number,
  checking: ConversableAgent,
  outcome: Outcome,
): ReplyFunction {
  const say = (style: 'green' | 'red', text: string): void => {
    if (groupchat.selectSpeakerAutoVerbose) checking.io.print(coloured(style, text));
  };
  let attempt = 0;
  return function checkAnswer(_recipient, messages) {
    attempt += 1;
    const named = [...mentionedAgents(contentText(messages?.at(-1)?.content), agents).keys()];
    const [name] = named;
    if (name !== undefined && named.length === 1) {
      outcome.chosen = name;
      say(
        'green',
        `>>>>>>>> Select speaker attempt ${attempt} of ${attempts} successfully selected: ${name}`,
      );
      return [true, null];
    }
    const isNone = named.length === 0;
    say(
      'red',
      isNone
        ? `>>>>>>>> Select speaker attempt #${attempt} failed as it did not include any agent names.`
        : `>>>>>>>> Select speaker attempt ${attempt} of ${attempts} failed as it included multiple agent names.`,
    );
    if (attempt >= attempts) return [true, null];
    const { selectSpeakerAutoNoneTemplate, selectSpeakerAutoMultipleTemplate } =
      groupchat.templates;
    const template = isNone ? selectSpeakerAutoNoneTemplate : selectSpeakerAutoMultipleTemplate;
    const text = formatTemplate(template, { agentlist: agentList(agents) });
    return [true, request(groupchat, text)];
  };
}

function request({ roleForSelectSpeakerMessages }: GroupChat, content: string): ChatMessage {
  return { content, name: checkingName, override_role: roleForSelectSpeakerMessages };
}

// Models reject a call without a result.
function withoutOpenCalls(messages: readonly ChatMessage[]): ChatMessage[] {
  const last = messages.at(-1);
  if (!last) return [];
  const shown: ChatMessage = { ...last };
  if (shown.function_call) shown.function_call = null;
  if (shown.tool_calls?.length) shown.tool_calls = null;
  return [...messages.slice(0, -1), shown];
}
