import type { ConversableAgent } from '../agents/conversable-agent.ts';
import type { Agent } from '../messages/agent.ts';

/**
 * The kind of a {@link Stop}, for programs.
 *
 * - `termination_msg` an agent or a manager took the last message for the end
 * - `max_auto_reply` an agent had replied automatically as often in a row as it may
 * - `human_exit` a person ended the chat
 * - `no_reply` an agent gave no reply, for another reason than these
 * - `max_turns` the turns of the chat were used up
 * - `max_round` the rounds of the group were used up
 * - `no_eligible_speaker` no member of the group could speak next
 * - `cancelled` the signal of the chat aborted
 * - `timeout` the time of the chat was up
 * - `refused` a tap, such as a circuit breaker's, refused a step
 */
export type StopKind =
  | 'termination_msg'
  | 'max_auto_reply'
  | 'human_exit'
  | 'no_reply'
  | 'max_turns'
  | 'max_round'
  | 'no_eligible_speaker'
  | 'cancelled'
  | 'timeout'
  | 'refused';

/** Why a chat ended, or why an agent gave no reply. */
export interface Stop {
  readonly kind: StopKind;
  /** For people. Of a refusal it is the tap's own text. */
  readonly reason: string;
}

/** Why an agent that says nothing else gave no reply. */
export function noReply({ name }: Agent): Stop {
  return { kind: 'no_reply', reason: `${name} gave no reply` };
}

/** What a chat knows of its end itself. */
interface Outcome {
  readonly cancelled: Stop | undefined;
  /** `null` when the turns were not used up. */
  readonly spentTurns: number | null;
}

/** Why a chat ended: a refusal comes first, then a cancellation, its turns, and the agent that gave no reply. */
export function stopOf(
  sender: ConversableAgent,
  recipient: ConversableAgent,
  { cancelled, spentTurns }: Outcome,
): Stop {
  const refusal = sender.refusal ?? recipient.refusal;
  if (refusal) return refusal;
  if (cancelled) return cancelled;
  if (spentTurns !== null) {
    const turns = spentTurns === 1 ? 'turn' : 'turns';
    const reason = `the chat reached its limit of ${spentTurns} ${turns} (maxTurns)`;
    return { kind: 'max_turns', reason };
  }
  const silence = sender.silences.get(recipient) ?? recipient.silences.get(sender);
  return silence ?? noReply(sender);
}
