import type { Confirm } from '@teamfuse/core';

/** The judge that was asked for never answered. */
export class NoJudgeError extends Error {
  override readonly name = 'NoJudgeError';
}

/** A judge that counts what it does not answer. Once it is known not to answer at all, it is not asked again. */
export class AskedJudge {
  readonly #ask: Confirm;
  readonly #name: string;
  #answered = 0;
  #failed = 0;
  #problem = '';

  constructor(ask: Confirm, name: string) {
    this.#ask = ask;
    this.#name = name;
  }

  readonly confirm: Confirm = async (question) => {
    this.check();
    try {
      const answer = await this.#ask(question);
      this.#answered += 1;
      return answer;
    } catch (error) {
      this.#failed += 1;
      this.#problem = error instanceof Error ? error.message : String(error);
      throw error;
    }
  };

  /** @throws {@link NoJudgeError} if it was asked and never answered. */
  check(): void {
    if (this.#failed === 0 || this.#answered > 0) return;
    throw new NoJudgeError(`${this.#name} gives no usable answer: ${this.#problem}`);
  }

  /** What it did not answer, in words; empty if it answered everything. */
  get unanswered(): string {
    if (this.#failed === 0) return '';
    const all = (this.#answered + this.#failed).toLocaleString('en');
    return `${this.#name} gave no usable answer to ${this.#failed.toLocaleString('en')} of ${all} questions`;
  }
}
