import { BoundedMap } from '@teamfuse/core/kit';
import { type Fields, fieldsOf } from '../fields.ts';
import type { WireFormat, WireRequest } from '../formats/format.ts';

/** Sends a request on: as it came, or with another text for its body. */
export type Forward = (text?: string) => Promise<Response>;

/** How one request is asked for its usage. */
export interface AskedUsage {
  /** Sends the request, whose body is `text`. */
  readonly sent: (text: string, forward: Forward) => Promise<Response>;
  /** Whether the caller did not ask for the usage, and does not see it. */
  readonly isHidden: boolean;
}

const AS_IT_CAME: AskedUsage = { sent: (_, forward) => forward(), isHidden: false };
/** What servers answer to a field that they do not know. */
const UNKNOWN_FIELD: readonly number[] = [400, 422];
const MAX_REMEMBERED = 1_000;

/** Asks streams of Chat Completions for their usage, as far as their servers take the question. */
export class StreamUsage {
  readonly #isOn: boolean;
  /** The servers and models that refuse it. */
  readonly #refusing: BoundedMap<string, true> = new BoundedMap(MAX_REMEMBERED);

  constructor(isOn: boolean) {
    this.#isOn = isOn;
  }

  /** How a request is asked. */
  of(
    format: WireFormat,
    { isStreamed, model }: WireRequest,
    body: Fields,
    url: string,
  ): AskedUsage {
    const isAsked = fieldsOf(body.stream_options).include_usage === true;
    const isChat = isStreamed && format.id === 'chat-completions';
    const whose = `${originOf(url)} ${model}`;
    if (!this.#isOn || !isChat || isAsked || this.#refusing.has(whose)) return AS_IT_CAME;
    const sent: AskedUsage['sent'] = async (text, forward) => {
      const response = await forward(withUsage(text, body));
      if (!UNKNOWN_FIELD.includes(response.status)) return response;
      await response.body?.cancel();
      const again = await forward();
      if (again.ok) this.#refusing.set(whose, true);
      return again;
    };
    return { sent, isHidden: true };
  }
}

function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : '';
}

/** A body that asks for usage, otherwise as it came. */
function withUsage(text: string, { stream_options, ...body }: Fields): string {
  const asked = { ...fieldsOf(stream_options), include_usage: true };
  if (stream_options !== undefined) return JSON.stringify({ ...body, stream_options: asked });
  const rest = text.slice(text.indexOf('{') + 1);
  return `{"stream_options":${JSON.stringify(asked)},${rest}`;
}
