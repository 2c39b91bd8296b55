import { BoundedMap } from '@teamfuse/core/kit';
import { type Fields, fieldsOf } from '../fields.ts';
import type { WireFormat, WireRequest } from '../formats/format.ts';
import { withField } from '../json-field.ts';

/** Sends a request on: as it came, or with another text for its body. */
export type Forward = (text?: string) => Promise<Response>;

/** A request that may be asked for its usage. */
export interface UsageRequest {
  readonly format: WireFormat;
  readonly request: WireRequest;
  readonly body: Fields;
  readonly text: string;
  readonly url: string;
}

/** What a request was answered. */
export interface SentRequest {
  readonly response: Response;
  /** Whether the caller did not ask for the usage, and does not see it. */
  readonly hidesUsage: boolean;
}

const FIELD = 'stream_options';
/** What servers answer to a field that they do not know. */
const UNKNOWN_FIELD: readonly number[] = [400, 422];
const MAX_REMEMBERED = 1_000;

/** Asks streams of Chat Completions for their usage, as far as their servers take the question. */
export class StreamUsage {
  readonly #isOn: boolean;
  /** Whether servers take the question, by their addresses and models. */
  readonly #takes: BoundedMap<string, boolean> = new BoundedMap(MAX_REMEMBERED);

  constructor(isOn: boolean) {
    this.#isOn = isOn;
  }

  /** Sends a request, and asks for its usage. */
  async send(asked: UsageRequest, forward: Forward): Promise<SentRequest> {
    const { format, request, body, text, url } = asked;
    const own = fieldsOf(body[FIELD]);
    const isChat = request.isStreamed && format.id === 'chat-completions';
    const isToAsk = this.#isOn && isChat && own.include_usage !== true;
    const whose = isToAsk ? `${originOf(url)} ${request.model}` : '';
    if (!isToAsk || this.#takes.get(whose) === false) {
      return { response: await forward(), hidesUsage: false };
    }
    const question = JSON.stringify({ ...own, include_usage: true });
    const response = await forward(withField(text, [FIELD], question));
    if (response.ok) this.#takes.set(whose, true);
    const mayRefuse = UNKNOWN_FIELD.includes(response.status) && !this.#takes.has(whose);
    if (!mayRefuse) return { response, hidesUsage: true };
    // Servers put it in many words, and some say nothing.
    await response.body?.cancel();
    const again = await forward();
    if (again.ok) this.#takes.set(whose, false);
    return { response: again, hidesUsage: false };
  }
}

function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : '';
}
