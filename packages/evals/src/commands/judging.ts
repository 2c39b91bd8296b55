import { OURS, type PolicyChoice } from '../policies/choose-policies.ts';
import { breakerPolicy, type StopPolicy } from '../scores/watcher.ts';
import { RecordedJudge } from './recorded-judge.ts';

/** How a command plays a judge. */
export interface JudgeFiles {
  /** Where to write the questions without an answer. */
  readonly asks?: string | undefined;
  /** Where to read answers from. */
  readonly answers?: string | undefined;
}

/** Options of the commands. */
export interface EvalOptions extends JudgeFiles, PolicyChoice {
  /** Whether only the last line is printed. */
  readonly isJson: boolean;
}

/** What a judge was asked about healthy conversations, and how many questions had no answer. */
export interface JudgeScore {
  readonly questionsPerHealthy: number;
  readonly unanswered: number;
}

/** Our breaker, with a judge that plays recorded answers back if one is asked for. */
export class Judging {
  readonly policy: StopPolicy;
  readonly #judge: RecordedJudge | undefined;
  readonly #asks: string | undefined;
  #healthy = 0;
  #questions = 0;

  constructor({ asks, answers }: JudgeFiles) {
    this.#asks = asks;
    if (answers !== undefined) this.#judge = RecordedJudge.read(answers);
    else if (asks !== undefined) this.#judge = new RecordedJudge();
    const judge = this.#judge?.confirm;
    this.policy = breakerPolicy(OURS, judge && { judge });
  }

  /** Runs one conversation, and counts the questions if it is a healthy one. */
  async run<T>(isHealthy: boolean, play: (policy: StopPolicy) => Promise<T>): Promise<T> {
    const before = this.#judge?.questions ?? 0;
    const result = await play(this.policy);
    if (isHealthy) {
      this.#healthy++;
      this.#questions += (this.#judge?.questions ?? 0) - before;
    }
    return result;
  }

  /** Writes the open questions; the score is missing where there was no judge. */
  finish(): JudgeScore | undefined {
    if (this.#judge === undefined) return undefined;
    if (this.#asks !== undefined) this.#judge.write(this.#asks);
    const perHealthy = this.#questions / Math.max(1, this.#healthy);
    return {
      questionsPerHealthy: Math.round(100 * perHealthy) / 100,
      unanswered: this.#judge.unanswered,
    };
  }
}
