import type { WireRequest } from '../formats/format.ts';
import type { RequestBounds } from './bounds.ts';
import type { Wording } from './notices.ts';

/** Options of `guardFetch()`. */
export interface GuardFetchOptions {
  /**
   * The agent that asks, or a function that tells it from the request. The header `x-teamfuse-agent` comes first.
   * @defaultValue its `name` in the history; otherwise agents are told apart by their system prompts and numbered
   */
  readonly agent?: string | ((request: WireRequest) => string | undefined);
  /**
   * The conversation, or a function that tells it from the request. The header `x-teamfuse-conversation` comes first.
   * @defaultValue the conversation whose history the request continues
   */
  readonly conversation?: string | ((request: WireRequest) => string | undefined);
  /**
   * How a call is refused: `error` is an error of the API, status 402, that SDKs do not retry; `answer` is an answer whose text
   * is the reason and `stopWord`, so that a team that waits for this word ends in good order.
   * @defaultValue 'error'
   */
  readonly refusal?: 'error' | 'answer';
  /**
   * The text that tells the model of a finding, where the breaker's `reaction` tells the team. It goes to the end of the next request
   * of the conversation, as a message that begins with `teamfuse:`.
   * @defaultValue the finding's reason, and what would count as progress
   */
  readonly nudge?: Wording;
  /**
   * Whether a model that was told of a loop goes on from before it: requests leave out what repeats the lap before to the letter.
   * @defaultValue false
   */
  readonly cutLaps?: boolean;
  /** Ends the text of a refusal that is an answer. @defaultValue 'TERMINATE' */
  readonly stopWord?: string;
  /** Sends the requests. @defaultValue the global `fetch` */
  readonly fetch?: typeof fetch;
  /**
   * Whether streams of Chat Completions are asked for their usage, which OpenAI leaves out otherwise. The event that holds it is
   * not passed on unless the caller asked for it. A server that refuses the question gets the request once more as it came, and is
   * not asked again.
   * @defaultValue true
   */
  readonly streamUsage?: boolean;
  /**
   * What happens to a call when the guard itself fails, such as a store that throws: `open` lets it through, `closed` refuses it.
   * @defaultValue 'open'
   */
  readonly failMode?: 'open' | 'closed';
  /** How much a request may hold. @defaultValue 64 MB, 50,000 messages, 500,000 parts, 200 deep */
  readonly bounds?: RequestBounds;
  /** Receives errors of the guard. @defaultValue writes them to the console */
  readonly onError?: (error: unknown) => void;
}
