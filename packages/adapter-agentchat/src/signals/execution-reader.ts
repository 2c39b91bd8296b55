import { type CodeBlock, executionSignal, joinBlocks, type Origin } from '@teamfuse/adapter-kit';
import type { BaseChatMessage, CodeExecutionEvent, CodeGenerationEvent } from '@teamfuse/agentchat';
import { BoundedMap, type ExecutionSignal } from '@teamfuse/core/kit';
import { findCodeBlocks } from './code-block.ts';
import { readExecutionText, saysNotRun } from './execution-text.ts';

const MAX_AGENTS = 256;
const MAX_BLOCKS = 32;

/** Finds out from events and texts which code was run and what came of it. */
export class ExecutionReader {
  /** What each agent with a model wrote last and is about to run. */
  readonly #generated: BoundedMap<string, readonly CodeBlock[]> = new BoundedMap(MAX_AGENTS);
  /** Blocks said since an executor last spoke: an executor without a model runs all of them. */
  #said: readonly CodeBlock[] = [];
  /** Who has spoken as an executor without a model, so that its plain output is known for what it is. */
  readonly #executors: BoundedMap<string, true> = new BoundedMap(MAX_AGENTS);

  /** Notes the code that a model wrote. A proposed correction has none. */
  wrote({ source, codeBlocks }: CodeGenerationEvent): void {
    if (codeBlocks.length > 0) this.#generated.set(source, codeBlocks);
  }

  /** The signal of an execution event. */
  ran({ source, result }: CodeExecutionEvent, origin: Origin): ExecutionSignal | undefined {
    if (saysNotRun(result.output)) return undefined;
    // The event has the output in the words of the agent; the exit code is there for certain.
    const output = readExecutionText(result.output)?.output ?? result.output;
    const blocks = this.#generated.get(source) ?? [];
    return executionSignal(origin, joinBlocks(blocks), { exitCode: result.exitCode, output });
  }

  /** The signal of the execution a message reports, if it is an executor's. */
  said(message: BaseChatMessage, origin: Origin): ExecutionSignal | undefined {
    const { source } = message;
    const text = message.toText();
    const reported = this.#generated.has(source) ? undefined : this.#reported(source, text);
    if (reported === undefined) {
      this.#said = [...this.#said, ...findCodeBlocks(text)].slice(-MAX_BLOCKS);
      return undefined;
    }
    const blocks = this.#said;
    this.#said = [];
    return executionSignal(origin, joinBlocks(blocks), reported);
  }

  #reported(source: string, text: string): ReturnType<typeof readExecutionText> {
    const reported = readExecutionText(text);
    if (reported !== undefined) this.#executors.set(source, true);
    if (reported !== undefined || !this.#executors.has(source) || saysNotRun(text)) return reported;
    return { exitCode: 0, output: text };
  }
}
