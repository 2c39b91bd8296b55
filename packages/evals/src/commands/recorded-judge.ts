import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import type { Confirm } from '@teamfuse/core';
import { type JudgeMessage, questionMessages } from '@teamfuse/judge';
import { readLines } from '../conversations/read-files.ts';

/** A recorded answer: `ask` is the fingerprint of the question. */
interface RecordedAnswer {
  readonly ask: string;
  readonly probability: number;
}

/** A judge that plays recorded answers back and collects the questions that have none. */
export class RecordedJudge {
  readonly #answers: ReadonlyMap<string, number>;
  readonly #open: Map<string, readonly JudgeMessage[]> = new Map();
  /** How many questions there were. */
  questions = 0;

  constructor(answers: readonly RecordedAnswer[] = []) {
    for (const { ask, probability } of answers) {
      const isValid = typeof ask === 'string' && probability >= 0 && probability <= 1;
      if (isValid) continue;
      const received = JSON.stringify({ ask, probability });
      throw new Error(`expected an answer { ask, probability: 0..1 }, received ${received}`);
    }
    this.#answers = new Map(answers.map(({ ask, probability }) => [ask, probability]));
  }

  /** Reads answers from a file with one a line. */
  static read(path: string): RecordedJudge {
    return new RecordedJudge(readLines<RecordedAnswer>(path));
  }

  /** How many different questions have no answer. */
  get unanswered(): number {
    return this.#open.size;
  }

  /** Answers a question: 0 where no answer is recorded. */
  readonly confirm: Confirm = (question) => {
    this.questions++;
    const messages = questionMessages(question);
    const ask = createHash('sha256').update(JSON.stringify(messages)).digest('hex');
    const probability = this.#answers.get(ask);
    if (probability === undefined) this.#open.set(ask, messages);
    return Promise.resolve(probability ?? 0);
  };

  /** Writes the questions without an answer, one a line. */
  write(path: string): void {
    const lines = [...this.#open].map(([ask, messages]) => JSON.stringify({ ask, messages }));
    writeFileSync(path, lines.map((line) => `${line}\n`).join(''));
  }
}
