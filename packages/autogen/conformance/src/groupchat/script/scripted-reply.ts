import {
  type ChatMessage,
  GroupChatManager,
  type ReplyFunction,
  type ReplyResult,
} from '@teamfuse/groupchat';
import type { Script, TraceEvent, Verdict } from '../vector.ts';
import { raised } from './raised-error.ts';
import { fill, messageText, row } from './rows.ts';
import { ScriptSource } from './script-source.ts';
import type { World } from './world.ts';

type ReplyParameters = Parameters<ReplyFunction>;

/** A reply function that notes a `call` and follows a script. */
export function scriptedReply(world: World, fn: string, script: Script<Verdict>): ReplyFunction {
  const source = new ScriptSource(script.script, script.then);
  return (recipient, messages, sender, config) => {
    const noted = config === null ? {} : { config: structuredClone(config) };
    world.recorder.note({
      ev: 'call',
      agent: recipient.name,
      fn,
      ...seen(messages, sender),
      ...noted,
    });
    return verdict(source, [recipient, messages, sender, config]);
  };
}

/** A reply function that notes a `hook` and follows a script, if it has one. */
export function probe(world: World, script: Script<Verdict>): ReplyFunction {
  const source = new ScriptSource(script.script, script.then);
  return (recipient, messages, sender, config) => {
    world.recorder.counts.hooks.add(recipient.name);
    const lastSpeaker =
      sender instanceof GroupChatManager ? { last_speaker: sender.lastSpeaker?.name ?? null } : {};
    world.recorder.note({
      ev: 'hook',
      agent: recipient.name,
      ...seen(messages, sender),
      ...lastSpeaker,
    });
    return verdict(source, [recipient, messages, sender, config]);
  };
}

/** The next verdict of a script, with its side effects. */
export function verdict(
  source: ScriptSource<Verdict>,
  [recipient, given, sender, config]: ReplyParameters,
): ReplyResult {
  const item = source.next();
  if (item === undefined) return [false, null];
  if (typeof item === 'string') return [true, item];
  const messages = given ?? [];
  const last = messages.at(-1);
  const values = {
    k: source.calls,
    n: messages.length,
    last: messageText(last),
    sender: sender?.name ?? 'None',
    me: recipient.name,
  };
  if (item.append_message) messages.push(structuredClone(item.append_message));
  if (item.set_last_content !== undefined && last) last.content = item.set_last_content;
  changeConfig(config as Record<string, unknown>, item, source.calls);
  if (item.raise) throw raised(item.raise);
  if (item.bad_return) return null as unknown as ReplyResult;
  const hasReply = item.reply !== undefined || item.template !== undefined;
  const reply = item.template === undefined ? item.reply : fill(item.template, values);
  return [item.final ?? hasReply, structuredClone(reply ?? null)];
}

function changeConfig(
  config: Record<string, unknown>,
  { bump, push }: Exclude<Verdict, string>,
  call: number,
): void {
  if (bump !== undefined) config[bump] = (config[bump] as number) + 1;
  if (push !== undefined) (config[push] as number[]).push(call);
}

function seen(messages: ChatMessage[] | null, sender: ReplyParameters[2]): Omit<TraceEvent, 'ev'> {
  const last = messages?.at(-1);
  return {
    sender: sender?.name ?? null,
    n: messages?.length ?? 0,
    last: last ? structuredClone(row(last)) : null,
  };
}
