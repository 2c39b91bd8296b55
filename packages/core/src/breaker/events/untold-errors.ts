import { cleanText } from '../../excerpt.ts';
import { withoutSecrets } from '../../redact/secrets.ts';

const MESSAGE_LENGTH = 300;

interface Console {
  readonly console?: { warn?(text: string): void };
}

/** Prints the first error that has no listener to the console. */
export class UntoldErrors {
  readonly #isQuoted: boolean;
  readonly #listener: string;
  #isTold = false;

  /** `listener` tells how to listen to errors. */
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
        `Teamfuse: an error occurred (${during})${what}. The run continues. Listen with ${this.#listener}; further errors are not shown here.`,
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
