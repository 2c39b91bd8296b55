import { ConversableAgent } from '../agents/conversable-agent.ts';
import { noReply, type Stop } from '../chats/stop.ts';
import { KeyboardInterrupt, NoEligibleSpeaker } from '../errors.ts';
import { coloured } from '../io/io-stream.ts';
import type { Agent } from '../messages/agent.ts';
import { deliveryOf, nextDelivery } from '../messages/delivery.ts';
import type { ChatMessage, Reply } from '../messages/message.ts';
import type { ReplyFunction } from '../replies/reply-function.ts';
import type { RunEndReason } from '../taps/chat-event.ts';
import { clearAgentsHistory } from './clear-agents-history.ts';
import type { GroupChat } from './group-chat.ts';
import { selectSpeaker } from './select-speaker.ts';

/** The properties that a group run reads and sets on the managing agent. */
export interface GroupRunner {
  /** The author of the last message of the group. */
  lastSpeaker?: Agent | null;
  /** Keeps the run off the console. */
  runsSilently?: boolean;
}

/**
 * Runs a group: each message goes to all members, then one of them is asked for the next.
 *
 * Any agent becomes a manager when this is registered with it, with the group as its config.
 */
export const runChat: ReplyFunction<GroupChat> = async (
  manager: ConversableAgent & GroupRunner,
  messages,
  sender,
  groupchat,
) => {
  const opening = (messages ?? manager.conversations.with(sender)).at(-1);
  if (!opening || !sender) return [false, null];
  await introduce(manager, groupchat);
  const run = new GroupRun(manager, groupchat);
  try {
    const end = await run.toEnd(opening, sender);
    manager.silences.set(sender, end.stop);
    manager.emit({ kind: 'run-end', reason: end.reason, rounds: run.rounds, error: null });
  } catch (error) {
    manager.emit({ kind: 'run-end', reason: 'error', rounds: run.rounds, error });
    throw error;
  }
  return [true, null];
};

async function introduce(manager: ConversableAgent, groupchat: GroupChat): Promise<void> {
  if (!groupchat.sendIntroductions) return;
  const options = { requestReply: false, silent: true, delivery: nextDelivery() };
  const introduction = groupchat.introductionsMsg();
  for (const agent of groupchat.agents) await manager.send(introduction, agent, options);
}

class GroupRun {
  rounds = 0;
  readonly #manager: ConversableAgent & GroupRunner;
  readonly #groupchat: GroupChat;

  constructor(manager: ConversableAgent & GroupRunner, groupchat: GroupChat) {
    this.#manager = manager;
    this.#groupchat = groupchat;
  }

  async toEnd(opening: ChatMessage, sender: Agent): Promise<RunEnd> {
    const manager = this.#manager;
    const groupchat = this.#groupchat;
    let message = opening;
    let speaker = sender;
    while (this.rounds < groupchat.maxRound) {
      await this.#share(message, speaker);
      if (manager.isTerminationMsg(message)) {
        return endOf(
          'termination_msg',
          `${manager.name} took the last message of ${speaker.name} as the end of the chat`,
        );
      }
      if (this.rounds >= groupchat.maxRound) break;
      if (!(await manager.admit({ kind: 'selection', lastSpeaker: speaker }))) {
        return { reason: 'no_reply', stop: noReply(manager) };
      }
      const turn = await this.#nextTurn(speaker);
      if (turn === 'no_eligible_speaker') {
        return endOf(turn, `no member of ${manager.name} may speak after ${speaker.name}`);
      }
      if (turn.reply === null) return { reason: 'no_reply', stop: this.#silenceOf(turn.speaker) };
      ({ speaker } = turn);
      message = await this.#deliver(turn.reply, speaker);
    }
    const rounds = `${groupchat.maxRound} ${groupchat.maxRound === 1 ? 'round' : 'rounds'}`;
    return endOf('max_round', `the group reached its limit of ${rounds} (maxRound)`);
  }

  #silenceOf(speaker: Agent): Stop {
    const silence =
      speaker instanceof ConversableAgent ? speaker.silences.get(this.#manager) : undefined;
    return silence ?? noReply(speaker);
  }

  async #share(message: ChatMessage, speaker: Agent): Promise<void> {
    const manager = this.#manager;
    const delivery = deliveryOf(message);
    manager.lastSpeaker = speaker;
    this.#groupchat.append(message, speaker);
    this.rounds += 1;
    const round = this.rounds;
    manager.emit({ kind: 'group-message', speaker, message, round, delivery });
    for (const agent of this.#groupchat.agents) {
      if (agent === speaker) continue;
      await manager.send(message, agent, { requestReply: false, silent: true, delivery });
    }
  }

  async #nextTurn(lastSpeaker: Agent): Promise<Turn | 'no_eligible_speaker'> {
    const { agents, adminName } = this.#groupchat;
    try {
      const speaker = await this.#select(lastSpeaker);
      return { speaker, reply: await speaker.generateReply({ sender: this.#manager }) };
    } catch (error) {
      if (error instanceof NoEligibleSpeaker) return 'no_eligible_speaker';
      const admin = agents.find(({ name }) => name === adminName);
      if (!(error instanceof KeyboardInterrupt) || !admin) throw error;
      return { speaker: admin, reply: await admin.generateReply({ sender: this.#manager }) };
    }
  }

  async #select(lastSpeaker: Agent): Promise<Agent> {
    const manager = this.#manager;
    try {
      const speaker = await selectSpeaker(this.#groupchat, lastSpeaker, manager);
      manager.emit({ kind: 'selection', lastSpeaker, speaker, error: null });
      if (!manager.runsSilently) {
        manager.io.print(coloured('green', `\nNext speaker: ${speaker.name}\n`));
      }
      return speaker;
    } catch (error) {
      manager.emit({ kind: 'selection', lastSpeaker, speaker: null, error });
      throw error;
    }
  }

  async #deliver(reply: NonNullable<Reply>, speaker: Agent): Promise<ChatMessage> {
    const manager = this.#manager;
    const said = this.#groupchat.enableClearHistory
      ? clearAgentsHistory(reply, this.#groupchat, manager)
      : reply;
    const silent = manager.runsSilently ?? false;
    await speaker.send(said, manager, { requestReply: false, silent });
    return manager.lastMessage(speaker) as ChatMessage;
  }
}

interface RunEnd {
  readonly reason: RunEndReason;
  readonly stop: Stop;
}

function endOf(reason: Exclude<RunEndReason, 'error'>, text: string): RunEnd {
  return { reason, stop: { kind: reason, reason: text } };
}

interface Turn {
  readonly speaker: Agent;
  readonly reply: Reply;
}
