import type {
  ChatMessage,
  InitiateChatOptions,
  NestedChat,
  NestedOpening,
  OpeningFunction,
  QueuedChat,
  SummaryArgs,
  SummaryFunction,
  SummaryMethod,
} from '@teamfuse/groupchat';
import { raised } from '../script/raised-error.ts';
import { fill, messageText } from '../script/rows.ts';
import type { World } from '../script/world.ts';
import type { ChatSpec } from '../vector.ts';

/** The options of a chat; a field that is absent is not given. */
export function chatOptions(world: World, spec: ChatSpec): InitiateChatOptions {
  const opening = spec.message_fn ? chatOpening(world, spec) : spec.message;
  return { ...commonOptions(world, spec), ...(opening === undefined ? {} : { message: opening }) };
}

/** The items of a queue of chats. */
export function chatQueue(world: World, specs: readonly ChatSpec[]): QueuedChat[] {
  return specs.map((spec) => ({ ...ends(world, spec), ...chatOptions(world, spec) }));
}

/** The items of a nested queue. */
export function nestedQueue(world: World, specs: readonly ChatSpec[]): NestedChat[] {
  return specs.map((spec) => {
    const opening = spec.message_fn ? nestedOpening(world, spec) : spec.message;
    const message = opening === undefined ? {} : { message: opening };
    return { ...ends(world, spec), ...commonOptions(world, spec), ...message };
  });
}

function ends(world: World, spec: ChatSpec): Pick<QueuedChat, 'sender' | 'recipient'> {
  const excluded = spec.finished_chat_indexes_to_exclude_from_carryover;
  return {
    ...(spec.from === undefined ? {} : { sender: world.agent(spec.from) }),
    // A queue without a recipient is one of the things that are tested.
    recipient: spec.to === undefined ? (undefined as never) : world.agent(spec.to),
    ...(excluded ? { finishedChatIndexesToExcludeFromCarryover: excluded } : {}),
  };
}

function commonOptions(world: World, spec: ChatSpec): InitiateChatOptions<never> {
  const method = spec.summary_fn ? summaryFunction(world, spec) : spec.summary_method;
  return {
    ...('max_turns' in spec ? { maxTurns: spec.max_turns } : {}),
    ...('clear_history' in spec ? { clearHistory: spec.clear_history } : {}),
    ...('silent' in spec ? { silent: spec.silent } : {}),
    ...(method === undefined ? {} : { summaryMethod: method as SummaryMethod }),
    ...(spec.summary_args ? { summaryArgs: summaryArgs(spec.summary_args) } : {}),
    ...('carryover' in spec ? { carryover: structuredClone(spec.carryover) as string } : {}),
  };
}

const argumentNames: Readonly<Record<string, string>> = {
  summary_prompt: 'summaryPrompt',
  summary_role: 'summaryRole',
};

function summaryArgs(given: NonNullable<ChatSpec['summary_args']>): SummaryArgs {
  return Object.fromEntries(
    Object.entries(given).map(([key, value]) => [argumentNames[key] ?? key, value]),
  );
}

function chatOpening(world: World, { message_fn: spec = {} }: ChatSpec): OpeningFunction {
  return (sender, recipient, { carryover = null }) => {
    const from = sender.name;
    const to = recipient.name;
    world.recorder.note({ ev: 'message_fn', from, to, carryover: structuredClone(carryover) });
    const shown = Array.isArray(carryover)
      ? carryover.map((item) => (typeof item === 'string' ? item : JSON.stringify(item))).join('|')
      : (carryover ?? '');
    return opening(spec, { sender: from, recipient: to, carryover: shown });
  };
}

function nestedOpening(world: World, { message_fn: spec = {} }: ChatSpec): NestedOpening {
  return (recipient, messages, sender) => {
    const owner = recipient.name;
    const n = messages.length;
    world.recorder.note({ ev: 'message_fn', owner, sender: sender?.name ?? null, n });
    const last = messageText(messages.at(-1));
    return opening(spec, { last, n, me: owner, sender: sender?.name ?? 'None' });
  };
}

function opening(
  { template, returns = null, raise }: NonNullable<ChatSpec['message_fn']>,
  values: Readonly<Record<string, unknown>>,
): string | ChatMessage | null {
  if (raise) throw raised(raise);
  return template === undefined ? (returns as ChatMessage | null) : fill(template, values);
}

function summaryFunction(world: World, { summary_fn: spec = {} }: ChatSpec): SummaryFunction {
  return (sender, recipient, args) => {
    const from = sender.name;
    const to = recipient.name;
    world.recorder.note({ ev: 'summary_fn', from, to, args: { ...args } });
    if (spec.raise) throw raised(spec.raise);
    const history = sender.conversations.with(recipient);
    const last = messageText(history.at(-1));
    const note = args.note ?? '';
    return fill(spec.template ?? '', {
      sender: from,
      recipient: to,
      n: history.length,
      last,
      note,
    });
  };
}
