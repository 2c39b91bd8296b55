import type { JsonObject } from '@teamfuse/agentchat';
import type { CodeBlock, CodeExecutor, CodeResult } from '@teamfuse/code-executors';
import type { ExecutionSpec, Scripted } from '../vector.ts';
import { scripted } from './scripted-function.ts';

/** A stand-in executor that gives what it is told to. */
export class ScriptedExecutor implements CodeExecutor {
  readonly #next: () => ExecutionSpec;
  readonly #onExecute: (blocks: readonly JsonObject[]) => void;

  constructor(
    results: readonly Scripted<ExecutionSpec>[],
    onExecute: (blocks: readonly JsonObject[]) => void,
  ) {
    this.#next = scripted(results);
    this.#onExecute = onExecute;
  }

  async executeCodeBlocks(blocks: readonly CodeBlock[]): Promise<CodeResult> {
    this.#onExecute(blocks.map(({ code, language }) => ({ code, language })));
    const { exit_code, output } = this.#next();
    return { exitCode: exit_code, output };
  }
}
