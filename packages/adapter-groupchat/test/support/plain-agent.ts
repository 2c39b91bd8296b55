type Message = { role: string; name: string; content: string };
type ReplyFunction = (
  recipient: PlainAgent,
  messages: Message[],
  sender: PlainAgent | null,
) => readonly [boolean, string | null] | Promise<readonly [boolean, string | null]>;
type SendHook = (outgoing: {
  sender: PlainAgent;
  message: string;
  recipient: PlainAgent;
}) => string;
type ReplyHook = (messages: Message[]) => Message[];

/** An agent of another port: a name, a chain of reply functions, histories, and nothing to tap. */
export class PlainAgent {
  readonly name: string;
  readonly replyFuncList: { trigger: unknown; replyFunc: ReplyFunction }[] = [];
  readonly histories: Map<PlainAgent, Message[]> = new Map();
  turns: number = 0;

  constructor(name: string, says: string | readonly string[] = `I am ${name}`) {
    this.name = name;
    this.registerReply([() => true], () => {
      const said = typeof says === 'string' ? says : (says[this.turns] ?? null);
      this.turns += 1;
      return [true, said];
    });
  }

  registerReply(
    trigger: unknown,
    replyFunc: ReplyFunction,
    { position = 0 }: { readonly position?: number } = {},
  ): void {
    this.replyFuncList.splice(position, 0, { trigger, replyFunc });
  }

  historyWith(peer: PlainAgent): Message[] {
    const history = this.histories.get(peer) ?? [];
    this.histories.set(peer, history);
    return history;
  }

  async send(message: string, recipient: PlainAgent): Promise<void> {
    const content = this.beforeSend(message, recipient);
    this.historyWith(recipient).push({ role: 'assistant', name: this.name, content });
    recipient.historyWith(this).push({ role: 'user', name: this.name, content });
    const reply = await recipient.reply(this);
    if (reply !== null) await recipient.send(reply, this);
  }

  protected beforeSend(message: string, _recipient: PlainAgent): string {
    return message;
  }

  protected beforeReply(history: Message[]): Message[] {
    return history;
  }

  async reply(sender: PlainAgent): Promise<string | null> {
    const history = this.beforeReply(this.historyWith(sender));
    for (const { replyFunc } of [...this.replyFuncList]) {
      const answer = await replyFunc(this, history, sender);
      if (answer.length !== 2) throw new TypeError('a reply function must return [final, reply]');
      if (answer[0]) return answer[1];
    }
    return null;
  }
}

/** The same with hooks. */
export class HookedAgent extends PlainAgent {
  readonly hooks: {
    processMessageBeforeSend: SendHook[];
    processAllMessagesBeforeReply: ReplyHook[];
  } = { processMessageBeforeSend: [], processAllMessagesBeforeReply: [] };

  registerHook(method: keyof HookedAgent['hooks'], hook: SendHook & ReplyHook): void {
    this.hooks[method].push(hook);
  }

  removeHook(method: keyof HookedAgent['hooks'], hook: SendHook & ReplyHook): void {
    const hooks: unknown[] = this.hooks[method];
    hooks.splice(hooks.indexOf(hook), 1);
  }

  protected override beforeSend(message: string, recipient: PlainAgent): string {
    const hooks = this.hooks.processMessageBeforeSend;
    return hooks.reduce((sent, hook) => hook({ sender: this, message: sent, recipient }), message);
  }

  protected override beforeReply(history: Message[]): Message[] {
    return this.hooks.processAllMessagesBeforeReply.reduce((seen, hook) => hook(seen), history);
  }
}
