import { exitCodeOf, type ReportedRun } from '@teamfuse/wire/reading';
import { Template } from './template.ts';
import { type Fields, fieldsOf, nameIn } from './values.ts';

/** How mini-SWE-agent tells a model what a command gave, unless its configuration says otherwise. */
const USUAL =
  '<returncode>{{output.returncode}}</returncode>\n<output>\n{{output.output}}\n</output>';
const USUAL_TIMEOUT = 'The last command <command>{{action}}</command> timed out';
const CODE = 'output.returncode';
const OUTPUT = 'output.output';

/** Reads what mini-SWE-agent told a model of a command, by the templates of the configuration that it recorded. */
export class ObservationReader {
  readonly #answer: Template;
  readonly #timeout: Template;
  readonly #isKnown: boolean;

  constructor(config: Fields) {
    const parts = [config.agent, config.model, config.environment].flatMap((part) => {
      const fields = fieldsOf(part);
      return fields === undefined ? [] : [fields];
    });
    const answers = parts.flatMap((part) => [
      part.action_observation_template,
      part.observation_template,
    ]);
    const recorded = nameIn(...answers);
    this.#isKnown = recorded !== undefined;
    this.#answer = new Template(recorded ?? USUAL);
    const timeouts = parts.map((part) => part.timeout_template);
    this.#timeout = new Template(nameIn(...timeouts) ?? USUAL_TIMEOUT);
  }

  /** What a command came to; `undefined` for a text that tells of something else. */
  read(text: string): ReportedRun | undefined {
    if (this.#timeout.isIn(text)) {
      const output = this.#timeout.filledIn(text, 'output') ?? text;
      return { exitCode: null, output: output.trim(), timedOut: true };
    }
    const output = trimmed(this.#answer.filledIn(text, OUTPUT) ?? text);
    if (!this.#answer.fillsIn(CODE)) return { exitCode: 0, output };
    const code = this.#answer.filledIn(text, CODE, this.#answer.fillsIn(CODE, OUTPUT));
    const [found] = /^\s*-?\d{1,9}(?!\d)/.exec(code ?? '') ?? [];
    if (found !== undefined) return { exitCode: exitCodeOf(Number(found)), output };
    return this.#isKnown ? undefined : { exitCode: 0, output: text };
  }
}

/** The output without the line ends that the template puts around it. */
function trimmed(output: string): string {
  return output.replace(/^\r?\n/, '').replace(/\r?\n$/, '');
}
