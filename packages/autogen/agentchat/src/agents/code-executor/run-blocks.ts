import type { CodeBlock, CodeResult } from '@teamfuse/code-executors';
import { formatCodeBlocks } from './code-blocks.ts';
import { executionText, refusedText } from './execution-text.ts';
import type { CodeExecutorParts } from './parts.ts';

/** Runs code blocks if they are approved; the output is the agent's answer. */
export async function runBlocks(
  blocks: readonly CodeBlock[],
  { codeExecutor, approvalFunc, modelContext }: CodeExecutorParts,
  signal: AbortSignal | undefined,
): Promise<CodeResult> {
  if (approvalFunc !== undefined) {
    const code = formatCodeBlocks(blocks);
    const context = await modelContext.getMessages();
    const { approved, reason } = await approvalFunc({ code, context });
    if (!approved) return { exitCode: 1, output: refusedText(reason) };
  }
  const result = await codeExecutor.executeCodeBlocks(
    blocks,
    signal === undefined ? {} : { signal },
  );
  return { ...result, output: executionText(result) };
}
