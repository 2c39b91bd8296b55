import { cleanText } from '../../excerpt.ts';
import { withoutSecrets } from '../../redact/secrets.ts';

const MESSAGE_LENGTH = 300;

/** The part of a console that every platform has; core relies on none of them. */
interface Console {
  readonly console?: { warn?(text: string): void };
}

/** Says once on the console that something failed which nobody listens to, so that it does not stay unnoticed. */
export class UntoldErrors {
  readonly #isQuoted: boolean;
  readonly #listener: string;
  #isTold = false;

  /** `listener` is how to listen to errors instead. */
  constructor(isQuoted: boolean, listener = "breaker.on('error', …)") {
    this.#isQuoted = isQuoted;
    this.#listener = listener;
  }

  tell(error: unknown, during: string): void {
    if (this.#isTold) return;
    this.#isTold = true;
    try {
      const what = this.#isQuoted
        ? `: ${cleanText(withoutSecrets(textOf(error)), MESSAGE_LENGTH)}`
        : '';
      (globalThis as Console).console?.warn?.(
        `Teamfuse: something failed (${during})${what}. The run goes on. Listen with ${this.#listener}; further errors are not shown here.`,
      );
    } catch {
      // An error that cannot be shown must not end the run either.
    }
  }
}

function textOf(error: unknown): string {
  const { name, message } = Object(error);
  return typeof message === 'string' ? `${name}: ${message}` : String(error);
}
