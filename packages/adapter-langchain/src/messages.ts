import { type ToolOutcome, textOutcome } from '@teamfuse/adapter-kit';
import { readUsage } from '@teamfuse/core';
import { partMark, toJson } from '@teamfuse/core/kit';
import type { Context } from './context.ts';
import type { Message, ModelResult } from './shapes.ts';

/** The text of a message, of all parts that are text. */
export function textOf({ content, text }: Message): string {
  if (typeof content === 'string') return content;
  return typeof text === 'string' ? text : '';
}

/** A message of a prompt, to be counted. */
export function promptPart({ content }: Message): { readonly content: string } {
  const plain = typeof content === 'string' ? content : JSON.stringify(toJson(content));
  return { content: plain ?? '' };
}

/** All that an answer says, thinks and asks for. */
export function wholeText(answer: Message): string {
  const calls = (answer.tool_calls ?? []).map(
    ({ name, args }) => `${name}(${JSON.stringify(toJson(args))})`,
  );
  return [promptPart(answer).content, ...calls].join('\n');
}

/** The messages in a state, a part of one, or what a node has returned. */
export function messagesIn(value: unknown): readonly Message[] {
  if (Array.isArray(value)) return value.flatMap(messagesIn);
  if (typeof value !== 'object' || value === null) return [];
  if ('content' in value && 'type' in value) return [value as Message];
  const { messages, output, update } = value as Readonly<Record<string, unknown>>;
  return messagesIn(messages ?? output ?? update);
}

/** What the calls of a model have used, all together. */
export function usageOf({ generations, llmOutput }: ModelResult): object | undefined {
  const usages = generations.flatMap(([first]) => readUsage(first?.message) ?? []);
  if (usages.length === 0) return Reflect.get(Object(llmOutput), 'tokenUsage');
  const sum: Record<string, unknown> = {};
  for (const [name, value] of usages.flatMap((usage) => Object.entries(usage))) {
    const before = sum[name];
    sum[name] = typeof before === 'number' ? before + Number(value) : value;
  }
  return sum;
}

/** What came of a call of a tool. */
export function outcomeOf(output: unknown): ToolOutcome {
  const [message] = messagesIn(output);
  if (message === undefined) return { result: toJson(output) };
  const { content, status } = message;
  const text = Array.isArray(content) ? content.map(partText).join('\n') : textOf(message);
  return textOutcome(text, { isError: status === 'error' });
}

/** The text of a part of a result. Pictures and other parts stand as their type and a number for their data. */
function partText(part: unknown): string {
  const { text } = Object(part) as { readonly text?: unknown };
  if (typeof part === 'string') return part;
  return typeof text === 'string' ? text : partMark(part);
}

/** An answer asks for calls of tools. */
export function tellCalls(context: Context, agent: string, { tool_calls = [] }: Message): void {
  const calls = tool_calls.flatMap(({ id, name = '', args = null }) =>
    id === undefined ? [] : [{ id, tool: name, args }],
  );
  context.callsAsked(agent, calls);
}

/** Reports the calls that a prompt answers, and that have reached no tool. */
export function tellAnswers(context: Context, messages: readonly Message[]): void {
  for (const message of messages) {
    const { type, tool_call_id: id } = message;
    if (type !== 'tool' || typeof id !== 'string') continue;
    context.callAnswered(id, () => outcomeOf(message));
  }
}

/** Whether an error says that a person is asked. */
export function isInterrupt(error: unknown): boolean {
  return Object(error).name === 'GraphInterrupt';
}

/** Whether an error is none, but how LangGraph leaves a node: to ask a person, or to go on elsewhere. */
export function isControl(error: unknown): boolean {
  return Object(error).is_bubble_up === true;
}
