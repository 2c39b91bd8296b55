import {
  type CodeResult,
  DockerCommandLineCodeExecutor,
  LocalCommandLineCodeExecutor,
} from '@teamfuse/code-executors';
import type { OptionAdvice, OptionNames } from '@teamfuse/python-compat';
import type { ConversableAgent } from '../agents/conversable-agent.ts';
import { coloured } from '../io/io-stream.ts';
import { inferLanguage } from '../text/code-blocks.ts';
import { codeReply, executed, newestBlocks, type ScanWindow } from './code-reply.ts';
import type { ReplyFunction } from './reply-function.ts';

/** Runs one block of code; `filename` is the file name in its first line. */
export type CodeRunner = (
  code: string,
  options: {
    readonly language: string;
    readonly filename: string | null;
    readonly signal?: AbortSignal;
  },
) => CodeResult | Promise<CodeResult>;

/** Runs the code of received messages block by block, the way from before there were executors. */
export interface LegacyCodeConfig {
  /** Where blocks are stored and run; a temporary directory when absent. */
  readonly workDir?: string;
  /**
   * How long one block may run.
   * @defaultValue 600_000
   */
  readonly timeoutMs?: number;
  /** @defaultValue 'auto' */
  readonly lastNMessages?: ScanWindow;
  /**
   * Whether blocks run in Docker containers; a text names the image. Where Docker is missing or not running, a reply
   * that would run code fails with an error, and nothing runs.
   * @defaultValue false
   */
  readonly useDocker?: boolean | string;
  /** Runs the blocks in place of the local command line. */
  readonly runCode?: CodeRunner;
}

/** The options of a {@link LegacyCodeConfig}. */
export const legacyCodeNames: OptionNames<LegacyCodeConfig> = {
  workDir: true,
  timeoutMs: true,
  lastNMessages: true,
  runCode: true,
  useDocker: true,
};

/** Where options of AutoGen's code execution went that have another name here. */
export const legacyCodeAdvice: OptionAdvice = {
  timeout: "it is 'timeoutMs' here, in milliseconds",
};

/** Runs the newest message that holds code, block by block up to the first that fails. */
export function legacyCodeReply(config: LegacyCodeConfig): ReplyFunction {
  const run = config.runCode ?? commandLineRunner(config);
  return async function generateCodeExecutionReply(recipient, messages, sender) {
    const history = messages ?? recipient.conversations.with(sender);
    const blocks = newestBlocks(history, config.lastNMessages);
    if (blocks.length === 0) return [false, null];
    let logs = '';
    for (const [at, { language, code }] of blocks.entries()) {
      const result = await runBlock(recipient, run, at, language || inferLanguage(code), code);
      if (!result) return [true, null];
      logs += `\n${result.output}`;
      if (result.exitCode !== 0) return [true, codeReply(result.exitCode, logs)];
    }
    return [true, codeReply(0, logs)];
  };
}

const shells: readonly string[] = ['bash', 'shell', 'sh'];
const pythons: readonly string[] = ['python', 'Python', 'py'];

async function runBlock(
  agent: ConversableAgent,
  run: CodeRunner,
  at: number,
  written: string,
  code: string,
): Promise<CodeResult | null> {
  agent.io.print(
    coloured('red', `\n>>>>>>>> EXECUTING CODE BLOCK ${at} (inferred language is ${written})...`),
  );
  const isPython = pythons.includes(written);
  if (!isPython && !shells.includes(written)) {
    return { exitCode: 1, output: `unknown language ${written}` };
  }
  const language = isPython ? 'python' : written;
  const filename = isPython ? requestedFile(code) : null;
  return executed(agent, [{ language, code }], (signal) =>
    run(code, { language, filename, ...(signal && { signal }) }),
  );
}

function requestedFile(code: string): string | null {
  return /^# filename: *(.*)/.exec(code)?.[1]?.trim() ?? null;
}

function commandLineRunner({
  workDir,
  timeoutMs = 600_000,
  useDocker = false,
}: LegacyCodeConfig): CodeRunner {
  const options = workDir === undefined ? { timeoutMs } : { workDir, timeoutMs };
  const image = typeof useDocker === 'string' ? { image: useDocker } : {};
  const executor = useDocker
    ? new DockerCommandLineCodeExecutor({ ...options, ...image })
    : new LocalCommandLineCodeExecutor(options);
  return (code, { language, signal }) =>
    executor.executeCodeBlocks([{ language, code }], signal && { signal });
}
