import { readdirSync, readFileSync } from 'node:fs';

/** What a tool printed when it failed. */
export interface FailingRun {
  readonly exitCode: number;
  readonly output: string;
}

/** Failing runs of one tool; see `fixtures/failures/README.md`. */
export interface FailingTool {
  readonly name: string;
  readonly command: string;
  readonly same: readonly FailingRun[];
  readonly other: readonly FailingRun[];
  readonly fewer: readonly FailingRun[];
}

const DIRECTORY = new URL('../fixtures/failures/', import.meta.url);
const EXTENSION = '.txt';

export function readFailingTools(): FailingTool[] {
  return readdirSync(DIRECTORY)
    .filter((file) => file.endsWith(EXTENSION))
    .map((file) => {
      const [head = '', ...parts] = readFileSync(new URL(file, DIRECTORY), 'utf8').split(/^=== /m);
      const runs = parts.map(toRun);
      const ofKind = (kind: string): FailingRun[] => runs.filter((run) => run.kind === kind);
      return {
        name: file.slice(0, -EXTENSION.length),
        command: head.slice('$ '.length).trim(),
        same: ofKind('same'),
        other: ofKind('other'),
        fewer: ofKind('fewer'),
      };
    });
}

function toRun(part: string): FailingRun & { readonly kind: string } {
  const end = part.indexOf('\n');
  const [kind = '', exitCode] = part.slice(0, end).split(' ');
  return { kind, exitCode: Number(exitCode), output: part.slice(end + 1) };
}
