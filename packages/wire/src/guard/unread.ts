import { pathOf } from '../formats/address.ts';
import { chatCompletions } from '../formats/chat-completions.ts';
import type { WireFormat } from '../formats/format.ts';
import { gemini } from '../formats/gemini/index.ts';
import { messages } from '../formats/messages.ts';
import { CallerMistake } from './caller-mistake.ts';
import type { CheckedOptions } from './check-options.ts';
import { refuseMistake } from './refusal.ts';

/** What is called at a path that costs money and is not read. */
interface Unread {
  readonly name: string;
  readonly path: RegExp;
  /** The API, for its errors. */
  readonly format: WireFormat;
  /** Whether a model answers there as in a conversation, or more is spent than a guard could overlook. */
  readonly isAnswer: boolean;
}

const kind =
  (isAnswer: boolean) =>
  (name: string, path: RegExp, format: WireFormat = chatCompletions): Unread => ({
    name,
    path,
    format,
    isAnswer,
  });
const answering = kind(true);
const beside = kind(false);

const UNREAD: readonly Unread[] = [
  answering('message batches of Anthropic', /\/messages\/batches$/i, messages),
  answering('batches of Gemini', /:(?:async)?batch(?:generate|embed)content$/i, gemini),
  answering('batches', /\/batches$/i),
  answering('Interactions of Gemini', /\/interactions$/i, gemini),
  answering('videos', /\/videos(?:\/[^/]+\/\w+)?$|:predictlongrunning$/i),
  answering('Realtime sessions', /\/realtime\/[\w/]+$/i),
  answering('runs of Assistants', /\/threads\/(?:[^/]+\/)?runs(?:\/[^/]+\/submit_tool_outputs)?$/i),
  answering('Completions', /(?<!\/chat)\/(?:completions|complete)$/i),
  answering('calls of Bedrock', /\/model\/[^/]+\/(?:invoke|converse)[\w-]*$/i),
  answering('calls of Ollama', /\/api\/(?:chat|generate)$/i),
  answering('calls of Cohere', /\/v\d\/chat$/i),
  answering('calls of other models at Vertex AI', /(?<!\/count-tokens):(?:stream)?rawpredict$/i),
  answering('fine-tuning jobs', /\/fine_?tuning\/jobs$/i),
  beside(
    'embeddings',
    /\/embeddings$|\/api\/embed$|\/v\d\/embed$|:embedcontent$|:batchembedcontents$/i,
  ),
  beside('images', /\/images\/(?:generations|edits|variations)$|:predict$/i),
  beside('sound', /\/audio\/(?:speech|transcriptions|translations)$/i),
  beside('rankings', /\/rerank$/i),
  beside('read documents', /\/ocr$/i),
];

/** An address up to its path. */
const ORIGIN = /^[a-z][a-z\d+.-]*:\/\/[^/]*/i;

/** Tells once of each kind of calls that cost money and are not read, or refuses them. */
export class UnreadCalls {
  readonly #options: Pick<CheckedOptions, 'failMode' | 'onError'>;
  readonly #told = new Set<string>();

  constructor(options: Pick<CheckedOptions, 'failMode' | 'onError'>) {
    this.#options = options;
  }

  /** Refuses a request to another path where a budget is set, nobody could count it and `failMode` is `closed`. */
  check(
    method: string,
    url: string,
    isLimited: boolean,
    onMistake?: (mistake: string) => void,
  ): Response | undefined {
    const path = pathOf(url.replace(ORIGIN, ''));
    const found = method.toUpperCase() === 'POST' && UNREAD.find((one) => one.path.test(path));
    if (!found) return undefined;
    const { name, format, isAnswer } = found;
    if (!isAnswer || !isLimited || this.#options.failMode === 'open') {
      if (isAnswer || isLimited) this.#tell(name, isAnswer);
      return undefined;
    }
    const mistake = new CallerMistake(`${name} cannot be counted, and failMode is closed`);
    onMistake?.(mistake.message);
    return refuseMistake(format, mistake);
  }

  #tell(name: string, isAnswer: boolean): void {
    if (this.#told.has(name)) return;
    this.#told.add(name);
    this.#options.onError(
      new Error(`${name} are not booked${isAnswer ? ', and their loops are not seen' : ''}`),
    );
  }
}
