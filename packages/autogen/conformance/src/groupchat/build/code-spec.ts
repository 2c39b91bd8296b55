import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type CodeExecutor,
  type CodeResult,
  LocalCommandLineCodeExecutor,
} from '@teamfuse/code-executors';
import type { CodeExecutionConfig } from '@teamfuse/groupchat';
import { raised } from '../script/raised-error.ts';
import { ScriptSource } from '../script/script-source.ts';
import type { World } from '../script/world.ts';
import type { CodeOutcome, CodeSpec } from '../vector.ts';

/** How an agent of a case runs code: as a script says, or with real programs. */
export async function codeConfig(world: World, spec: CodeSpec): Promise<CodeExecutionConfig> {
  const { last_n_messages: lastNMessages } = spec;
  const window = lastNMessages === undefined ? {} : { lastNMessages };
  const source = new ScriptSource(spec.results, spec.then);
  const next = (): CodeResult => result(source.next());
  switch (spec.path) {
    case 'executor':
      return { executor: { executeCodeBlocks: async () => next() }, ...window };
    case 'legacy':
      return { runCode: next, ...window };
    case 'local':
      return { executor: await localExecutor(world, spec), ...window };
    case 'legacy_local': {
      const executor = await localExecutor(world, spec);
      return {
        runCode: (code, { language, filename }) => {
          if (filename !== null) world.recorder.nextExecution = { filename };
          return executor.executeCodeBlocks([{ language, code }]);
        },
        ...window,
      };
    }
  }
}

function result(outcome: CodeOutcome | undefined): CodeResult {
  if (!outcome) return { exitCode: 0, output: '' };
  if ('raise' in outcome) throw raised(outcome.raise);
  return { exitCode: outcome.exit_code, output: outcome.output };
}

// Commands the recorded library refuses to run, and that must not run for real here either.
const harmful = /\brm\s+-rf\b|\bmv\b.*\/dev\/null|\bdd\b|>\s*\/dev\/sd/;

async function localExecutor(world: World, { timeout }: CodeSpec): Promise<CodeExecutor> {
  const workDir = await realpath(await mkdtemp(join(tmpdir(), 'teamfuse-vectors-')));
  const executor = new LocalCommandLineCodeExecutor({
    workDir,
    ...(timeout === undefined ? {} : { timeoutMs: timeout * 1000 }),
  });
  world.workDirs.push(workDir);
  world.closers.push(async () => {
    await executor.close();
    await rm(workDir, { recursive: true, force: true });
  });
  return {
    executeCodeBlocks: async (blocks) => {
      if (blocks.some(({ code }) => harmful.test(code))) {
        throw new Error('the runner does not let this code run');
      }
      return executor.executeCodeBlocks(blocks);
    },
  };
}
