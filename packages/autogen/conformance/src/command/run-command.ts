import { fileURLToPath } from 'node:url';
import { agentchat } from '../agentchat/library.ts';
import { groupchat } from '../groupchat/library.ts';
import { Watch } from '../guarded.ts';
import {
  knownDifferencesFile,
  readKnownDifferences,
  writeKnownDifferences,
} from '../harness/known-difference.ts';
import type { Library } from '../harness/library.ts';
import { recordDifferences } from '../harness/record-differences.ts';
import type { Report } from '../harness/report.ts';
import { runVectors } from '../harness/run-vectors.ts';
import type { AnyVector } from '../harness/vector-files.ts';
import { explain } from './explain.ts';

const USAGE =
  'usage: conformance [agentchat | groupchat [directory]] [--json] [--record | --guarded]';
const FLAGS = ['--json', '--record', '--guarded'];

/** Runs what the command line asks for and gives the exit code. */
export async function runCommand(args: readonly string[]): Promise<number> {
  const flags = args.filter((arg) => arg.startsWith('--'));
  const [name, directory, ...others] = args.filter((arg) => !arg.startsWith('--'));
  const options = { isJsonOnly: flags.includes('--json'), isRecording: flags.includes('--record') };
  const isGuarded = flags.includes('--guarded');
  // What a guard changes is a fault, and never the record.
  const isUsable =
    flags.every((flag) => FLAGS.includes(flag)) && !(isGuarded && options.isRecording);
  if (!isUsable || others.length > 0) return wrongUse();
  const watch = new Watch();
  const [teams, agents] = isGuarded
    ? [watch.agentchat(), watch.groupchat()]
    : [agentchat, groupchat];
  const codes: number[] = [];
  if (name === undefined || name === 'agentchat') codes.push(await run(teams, directory, options));
  if (name === undefined || name === 'groupchat') codes.push(await run(agents, directory, options));
  if (codes.length === 0) return wrongUse();
  if (isGuarded && !options.isJsonOnly) console.log(`${watch.cases} cases had something to guard`);
  return Math.max(...codes);
}

interface CommandOptions {
  readonly isJsonOnly: boolean;
  readonly isRecording: boolean;
}

async function run<Vector extends AnyVector>(
  library: Library<Vector>,
  directory: string = committed(library.name),
  { isJsonOnly, isRecording }: CommandOptions,
): Promise<number> {
  if (isRecording) await record(library, directory);
  const report = await runVectors(library, directory);
  if (!isJsonOnly) for (const line of explain(report)) console.log(line);
  console.log(JSON.stringify(summary(report)));
  return report.total > 0 && report.failed === 0 ? 0 : 1;
}

async function record<Vector extends AnyVector>(
  library: Library<Vector>,
  directory: string,
): Promise<void> {
  const path = knownDifferencesFile(library.name);
  const before = await readKnownDifferences(path);
  await writeKnownDifferences(path, await recordDifferences(library, directory, before));
}

function committed(library: string): string {
  return fileURLToPath(new URL(`../../fixtures/${library}`, import.meta.url));
}

function summary({ total, passed, deviating, failed, skipped, byFile }: Report): object {
  return { total, passed, deviating, failed, skipped, byFile };
}

function wrongUse(): number {
  console.error(USAGE);
  return 2;
}
