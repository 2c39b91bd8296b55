import type { CodeBlock, CodeResult } from './code-executor.ts';
import { findLanguage, type Language } from './language.ts';
import { removeFiles, storeBlock } from './workspace.ts';

/** A block that lies in a file and can be run. */
export interface StoredProgram {
  readonly language: Language;
  readonly path: string;
}

/** How blocks are run one after the other. */
export interface SequenceOptions {
  readonly workDir: string;
  readonly cleanupTempFiles: boolean;
  readonly signal: AbortSignal;
  run(program: StoredProgram): Promise<CodeResult>;
}

/** Runs blocks in order up to the first that fails, and joins what they printed. */
export async function runInOrder(
  blocks: readonly CodeBlock[],
  options: SequenceOptions,
): Promise<CodeResult> {
  const files: string[] = [];
  let result: CodeResult = { exitCode: 0, output: '' };
  for (const block of blocks) {
    const { exitCode, output, codeFile } = await runBlock(block, options);
    if (codeFile !== undefined) files.push(codeFile);
    result = { exitCode, output: result.output + output };
    if (exitCode !== 0) break;
  }
  // Not before the last block: a later one may use the file of an earlier one.
  if (options.cleanupTempFiles) await removeFiles(options.workDir, files);
  const [codeFile] = files;
  return { ...result, ...(codeFile !== undefined && { codeFile }) };
}

async function runBlock(
  block: CodeBlock,
  { workDir, signal, run }: SequenceOptions,
): Promise<CodeResult> {
  const language = findLanguage(block.language);
  if (language === undefined) return failed(`\nunknown language ${block.language.toLowerCase()}`);
  if (signal.aborted) return { exitCode: 125, output: '\nCancelled' };
  const stored = await storeBlock(workDir, block, language.extension);
  if (stored.kind === 'refused') return failed(stored.message);
  return { ...(await run({ language, path: stored.path })), codeFile: stored.path };
}

function failed(output: string): CodeResult {
  return { exitCode: 1, output };
}
