import { GuardInstallError } from '@teamfuse/core/kit';
import type { AgentView, GuardReply } from '../context/agent-view.ts';

/** Accepts every sender, and none. */
const ANY_SENDER: readonly unknown[] = [(): boolean => true, null];

/** Marks the reply functions of guards; copies of the package share it. */
const GUARD_MARK: unique symbol = Symbol.for('teamfuse.guard');

/** The reply function of a guard in the chain of one agent, in front of all others but those of guards. */
export class ChainLink {
  readonly reply: GuardReply;
  readonly #agent: AgentView;

  constructor(agent: AgentView, decide: GuardReply) {
    this.#agent = agent;
    // Chains tell their links apart by identity.
    const guardTurn: GuardReply = (recipient, messages, sender) =>
      decide(recipient, messages, sender);
    this.reply = Object.assign(guardTurn, { [GUARD_MARK]: true });
  }

  /** @throws {@link GuardInstallError} when the agent does not put it in front. */
  put(): void {
    this.#agent.registerReply(ANY_SENDER, this.reply, { position: 0 });
    if (this.#isInFront) return;
    const expected = 'registerReply to put a function at position 0';
    throw new GuardInstallError(this.#agent.name, expected);
  }

  /** Puts it back in front if something was registered before it, or the chain was emptied. */
  keepInFront(): void {
    if (this.#isInFront) return;
    if (!this.#isMissing) {
      if (!this.#agent.removeReplyFunc) return;
      this.#agent.removeReplyFunc(this.reply);
    }
    this.#agent.registerReply(ANY_SENDER, this.reply, { position: 0 });
  }

  /** Repairs what it can, and says what is still wrong. */
  check(): string | undefined {
    const wasMissing = this.#isMissing;
    this.keepInFront();
    if (wasMissing) return 'the guard is not among the reply functions';
    return this.#isInFront ? undefined : 'the guard is not first among the reply functions';
  }

  /** Removes it, by hand where the agent cannot do so itself. */
  remove(): void {
    const { replyFuncList, removeReplyFunc } = this.#agent;
    if (removeReplyFunc) {
      removeReplyFunc.call(this.#agent, this.reply);
      return;
    }
    if (!Array.isArray(replyFuncList) || Object.isFrozen(replyFuncList)) return;
    const at = replyFuncList.findIndex(({ replyFunc }) => replyFunc === this.reply);
    if (at >= 0) replyFuncList.splice(at, 1);
  }

  /** Whether only guards stand before it. Unreadable chains are trusted. */
  get #isInFront(): boolean {
    const { replyFuncList } = this.#agent;
    const first = replyFuncList?.find(
      ({ replyFunc }) => replyFunc === this.reply || !isGuard(replyFunc),
    );
    return replyFuncList === undefined || first?.replyFunc === this.reply;
  }

  /** Whether the chain can be read, and it is not in there. */
  get #isMissing(): boolean {
    return this.#agent.replyFuncList?.every(({ replyFunc }) => replyFunc !== this.reply) ?? false;
  }
}

function isGuard(replyFunc: unknown): boolean {
  return (Object(replyFunc) as { readonly [GUARD_MARK]?: boolean })[GUARD_MARK] === true;
}
