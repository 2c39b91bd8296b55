import type { ChatCompletionClient, LLMMessage } from '@teamfuse/models';
import { countMentions, repr } from '@teamfuse/python-compat';
import { AssertionError } from '../../base/errors.ts';
import type { ChatItem } from '../../messages/chat-item.ts';
import { ModelClientStreamingChunkEvent } from '../../messages/events/model-client-streaming-chunk-event.ts';
import { SelectorEvent } from '../../messages/events/selector-event.ts';
import { answerOf } from '../../model-calls/model-call.ts';

/** One choice of a speaker by a model. */
export interface ModelSelection {
  readonly modelClient: ChatCompletionClient;
  readonly prompt: string;
  /** All participants, as the model may also name one outside the candidates. */
  readonly names: readonly string[];
  readonly candidates: readonly string[];
  /** The participant that must not be chosen. */
  readonly excluded: string | null;
  readonly maxAttempts: number;
  readonly isStreaming: boolean;
  /** Receives chunks and answers; `undefined` drops them. */
  readonly emit: ((item: ChatItem) => void) | undefined;
  /** The source of the emitted items. */
  readonly source: string;
  readonly signal: AbortSignal;
}

const OPENAI_FAMILIES = [
  'gpt-5',
  'gpt-41',
  'gpt-45',
  'gpt-4o',
  'o4',
  'o3',
  'o1',
  'gpt-4',
  'gpt-35',
];

/** Asks the model until it names exactly one participant that may speak; `null` after the last attempt. */
export async function selectByModel(selection: ModelSelection): Promise<string | null> {
  const { modelClient, prompt, names, candidates, excluded, maxAttempts } = selection;
  const messages: LLMMessage[] = [
    OPENAI_FAMILIES.includes(modelClient.modelInfo.family)
      ? { type: 'SystemMessage', content: prompt }
      : { type: 'UserMessage', content: prompt, source: 'user' },
  ];
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const answer = await ask(selection, messages);
    const [name, ...others] = names.filter((candidate) => countMentions(answer, candidate) > 0);
    let feedback: string;
    if (name === undefined) {
      feedback = `No valid name was mentioned. Please select from: ${repr(candidates)}.`;
    } else if (others.length > 0) {
      feedback = `Expected exactly one name to be mentioned. Please select only one from: ${repr(candidates)}.`;
    } else if (name === excluded) {
      feedback = `Repeated speaker is not allowed, please select a different name from: ${repr(candidates)}.`;
    } else {
      return name;
    }
    messages.push(
      { type: 'AssistantMessage', content: answer, source: 'selector' },
      { type: 'UserMessage', content: feedback, source: 'user' },
    );
  }
  return null;
}

async function ask(
  { modelClient, isStreaming, emit, source, signal }: ModelSelection,
  messages: readonly LLMMessage[],
): Promise<string> {
  if (!isStreaming)
    return answerText((await answerOf(modelClient, [...messages], { signal })).content);
  let answer: string | undefined;
  for await (const chunk of modelClient.createStream([...messages], { signal })) {
    if (typeof chunk === 'string') {
      emit?.(new ModelClientStreamingChunkEvent({ content: chunk, source }));
    } else {
      answer = answerText(chunk.content);
      emit?.(new SelectorEvent({ content: answer, source }));
    }
  }
  if (answer === undefined) throw new AssertionError();
  return answer;
}

function answerText(content: string | readonly unknown[]): string {
  if (typeof content === 'string') return content;
  throw new AssertionError();
}
