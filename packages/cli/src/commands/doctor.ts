import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { Command } from '@commander-js/extra-typings';
import type { Check } from '../doctor/check.ts';
import { checkFrameworks } from '../doctor/check-frameworks.ts';
import { checkPackages } from '../doctor/check-packages.ts';
import { checkPolicy } from '../doctor/check-policy.ts';
import { checkSdks } from '../doctor/check-sdks.ts';
import { installedPackages } from '../doctor/installed-packages.ts';
import { checkNode } from '../doctor/node-version.ts';
import { BadInputError } from '../input/bad-input-error.ts';
import { cleanForTerminal, toJsonLine } from '../output/clean.ts';
import { fitted } from '../output/fit.ts';
import { LineWriter } from '../output/line-writer.ts';
import { examples } from './examples.ts';
import { EXIT } from './exit-codes.ts';

const EXAMPLES = examples(
  ['teamfuse doctor', 'the project in this folder'],
  ['teamfuse doctor ../app --json', 'another project, as JSON'],
);

/** `teamfuse doctor`. `done` is given the exit code. */
export function doctorCommand(done: (exitCode: number) => void): Command<[string]> {
  return new Command('doctor')
    .description('Check a project: version of Node, packages, frameworks, and teamfuse.toml.')
    .argument('[folder]', 'the folder of the project', '.')
    .option('--json', 'print one JSON object for each check')
    .addHelpText('after', EXAMPLES)
    .action(async (folder, { json = false }) => {
      const cwd = resolve(folder);
      if (!statSync(cwd, { throwIfNoEntry: false })?.isDirectory()) {
        throw new BadInputError(folder, 'there is no such folder');
      }
      const installed = installedPackages(cwd);
      const checks = [
        checkNode(process.versions.node),
        ...checkPackages(installed, cwd),
        ...checkFrameworks(installed),
        ...checkSdks(installed),
        checkPolicy(cwd),
      ];
      const out = new LineWriter(process.stdout, false);
      if (json) for (const check of checks) await out.line(toJsonLine(check));
      else await out.line(fitted(textOf(checks), process.stdout.columns));
      await out.flush();
      done(checks.some(({ status }) => status === 'fail') ? EXIT.problem : EXIT.clean);
    }) as unknown as Command<[string]>;
}

function textOf(checks: readonly Check[]): string {
  const rows = checks.map(({ status, name, found }) => [
    status.padEnd(4),
    cleanForTerminal(name),
    cleanForTerminal(found),
  ]);
  const width = Math.max(...rows.map(([, name = '']) => name.length));
  const lines = rows.map(
    ([status, name = '', found]) => `${status}  ${name.padEnd(width)}  ${found}`,
  );
  const advice = checks.flatMap(({ status, name, advice: text }) =>
    text === undefined ? [] : [cleanForTerminal(`${status} ${name}: ${text}`)],
  );
  return [...lines, '', ...(advice.length > 0 ? advice : ['All is well.'])].join('\n');
}
