import {
  callModel,
  type ModelCallInfo,
  NUDGE_AUTHOR,
  outputLimit,
  overlay,
  streamModel,
} from '@teamfuse/adapter-kit';
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
    return streamModel(context, {
      ...infoOf(messages, options),
      open: (signal) => client.createStream?.(messages, { ...options, signal }) as ModelStream,
      usageOf: (chunk) => (isAnswer(chunk) ? (chunk.usage ?? null) : undefined),
      isCached,
    });
  };
  return overlay<ModelClient>(client, {
    async create(given, options = {}) {
      const messages = nudged(given);
      return callModel(context, {
        ...infoOf(messages, options),
        work: (signal) => client.create(messages, { ...options, signal }),
        usageOf: ({ usage }) => usage,
        isCached,
      });
    },
    ...(client.createStream && { createStream }),
  });
}

function withNudge(context: TeamContext, given: readonly ModelMessage[]): readonly ModelMessage[] {
  const content = context.takeNudge();
  if (content === undefined) return given;
  return [...given, { type: 'UserMessage', content, source: NUDGE_AUTHOR }];
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
