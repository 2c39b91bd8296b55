import {
  call,
  lastAnswerIn,
  type ModelCallInfo,
  modelCall,
  NUDGE_AUTHOR,
  outputLimit,
  overlay,
  stream,
  withOutputLimit,
} from '@teamfuse/adapter-kit';
import type { Place } from '../guard/place.ts';
import type { TeamContext } from '../guard/team-context.ts';
import type { ModelAnswer, ModelCallOptions, ModelClient, ModelMessage } from './shapes.ts';

type ModelStream = ReturnType<NonNullable<ModelClient['createStream']>>;

/** The owner of a model client. */
export interface ModelOwner {
  readonly name: string;
  /** Whether the model only chooses who speaks, so that its calls belong to the turn they lead to. */
  readonly isManager: boolean;
}

/** Guards the calls of a model client. */
export function modelTap(
  context: TeamContext,
  client: ModelClient,
  { name, isManager }: ModelOwner,
): ModelClient {
  const infoOf = (messages: readonly ModelMessage[], options: ModelCallOptions): ModelCallInfo => ({
    agent: name,
    model: client.model ?? 'unknown',
    prompt: messages.map(countable),
    maxOutputTokens: outputLimit(options.extraCreateArgs),
    isSelection: isManager,
    signal: options.signal,
  });
  const nudged = (given: readonly ModelMessage[]): readonly ModelMessage[] =>
    isManager ? given : withNudge(context, given);

  const createStream: ModelClient['createStream'] = (given, options = {}) => {
    const messages = nudged(given);
    const step = modelCall<string | ModelAnswer, Place, void>({
      ...infoOf(messages, options),
      usageOf: (chunk) => (isAnswer(chunk) ? (chunk.usage ?? null) : undefined),
      wholeTextOf: (chunk) => (isAnswer(chunk) ? wholeText(chunk) : undefined),
      isCached,
    });
    const open = (signal?: AbortSignal): ModelStream =>
      client.createStream?.(...asked(context, messages, { ...options, signal })) as ModelStream;
    return stream(context, step, open);
  };
  return overlay<ModelClient>(client, {
    async create(given, options = {}) {
      const messages = nudged(given);
      const step = modelCall<ModelAnswer, Place>({
        ...infoOf(messages, options),
        usageOf: ({ usage }) => usage,
        wholeTextOf: wholeText,
        isCached,
      });
      return call(context, step, (signal) =>
        client.create(...asked(context, messages, { ...options, signal })),
      );
    },
    ...(client.createStream && { createStream }),
  });
}

function withNudge(context: TeamContext, given: readonly ModelMessage[]): readonly ModelMessage[] {
  return context.prompt(given, asText);
}

function asText(content: string): ModelMessage {
  return { type: 'UserMessage', content, source: NUDGE_AUTHOR };
}

/** What a client is asked: without tools and bounded, if it is for the last answer of a stopped run. */
function asked(
  context: TeamContext,
  messages: readonly ModelMessage[],
  options: ModelCallOptions,
): [readonly ModelMessage[], ModelCallOptions] {
  const last = lastAnswerIn(context);
  if (last === undefined) return [messages, options];
  const { tools, toolChoice, ...rest } = options;
  const extraCreateArgs = withOutputLimit(options.extraCreateArgs, last.maxTokens);
  const told = last.text === undefined ? messages : [...messages, asText(last.text)];
  return [told, { ...rest, tools: [], extraCreateArgs }];
}

function isAnswer(chunk: unknown): chunk is ModelAnswer {
  return 'usage' in Object(chunk);
}

function isCached(answer: unknown): boolean {
  return Object(answer).cached === true;
}

function countable({ content, source }: ModelMessage): { content: string; name?: string } {
  return { content: textOf(content), ...(source !== undefined && { name: source }) };
}

function wholeText({ content, thought }: ModelAnswer): string {
  return `${thought ?? ''}${textOf(content)}`;
}

/** Everything in a message that a model reads; images have no text. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.map((part) => (typeof part === 'string' ? part : partText(part))).join('\n');
}

function partText(part: unknown): string {
  const { name = '', arguments: args = '', content = '' } = Object(part);
  return `${name}${args}${content}`;
}
