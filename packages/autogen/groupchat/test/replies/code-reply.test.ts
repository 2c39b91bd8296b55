import type { CodeBlock, CodeExecutor } from '@teamfuse/code-executors';
import { LocalCommandLineCodeExecutor } from '@teamfuse/code-executors';
import { describe, expect, test } from 'vitest';
import {
  type ChatMessage,
  type LegacyCodeConfig,
  type ScanWindow,
  UserProxyAgent,
} from '../../src/index.ts';
import { TestIO } from '../cast.ts';

const python = (code: string) => `\`\`\`python\n${code}\n\`\`\``;

class FakeExecutor implements CodeExecutor {
  readonly ran: CodeBlock[][] = [];

  async executeCodeBlocks(blocks: readonly CodeBlock[]) {
    this.ran.push([...blocks]);
    return { exitCode: 0, output: 'ran\n' };
  }
}

function runner(executor: CodeExecutor, lastNMessages?: ScanWindow) {
  return new UserProxyAgent({
    name: 'runner',
    humanInputMode: 'NEVER',
    io: new TestIO(),
    defaultAutoReply: 'nothing to run',
    codeExecutionConfig: { executor, ...(lastNMessages === undefined ? {} : { lastNMessages }) },
  });
}

const said = (...contents: string[]): ChatMessage[] =>
  contents.map((content) => ({ role: 'user', content }));

describe('code execution with an executor', () => {
  test('[CODE1] runs all blocks of the newest message that has any', async () => {
    const executor = new FakeExecutor();
    const messages = said(
      python('print(1)'),
      `${python('print(2)')}\n\`\`\`sh\nls\n\`\`\``,
      'run it',
    );
    const reply = await runner(executor).generateReply({ messages });
    expect(reply).toBe('exitcode: 0 (execution succeeded)\nCode output: ran\n');
    expect(executor.ran).toEqual([
      [
        { language: 'python', code: 'print(2)' },
        { language: 'sh', code: 'ls' },
      ],
    ]);
  });

  test('[CODE1] runs real programs', async () => {
    await using executor = new LocalCommandLineCodeExecutor({ timeoutMs: 20_000 });
    const agent = runner(executor);
    const failing = said('```sh\necho hello; exit 3\n```');
    expect(await agent.generateReply({ messages: failing })).toBe(
      'exitcode: 3 (execution failed)\nCode output: hello\n',
    );
  });

  test.each<[ScanWindow | undefined, number]>([
    [undefined, 0],
    ['auto', 0],
    [0, 0],
    [1, 0],
    [3, 1],
  ])('[CODE2] a window of %s after its own words runs %i times', async (window, runs) => {
    const executor = new FakeExecutor();
    const messages: ChatMessage[] = [
      ...said(python('print(1)')),
      { role: 'assistant', content: 'exitcode: 0' },
      ...said('thanks'),
    ];
    await runner(executor, window).generateReply({ messages });
    expect(executor.ran).toHaveLength(runs);
  });

  test.each([[-1], [1.5], ['all']])('[CODE2] rejects a window of %s', async (window) => {
    const reply = runner(new FakeExecutor(), window as ScanWindow).generateReply({
      messages: said('x'),
    });
    await expect(reply).rejects.toThrow('last_n_messages must be either a non-negative integer');
  });

  test('[CODE1] says so when there is nothing to run', async () => {
    expect(await runner(new FakeExecutor()).generateReply({ messages: said('text') })).toBe(
      'nothing to run',
    );
  });
});

describe('code execution block by block', () => {
  function legacy(config: LegacyCodeConfig) {
    return new UserProxyAgent({
      name: 'runner',
      humanInputMode: 'NEVER',
      io: new TestIO(),
      codeExecutionConfig: config,
    });
  }

  test('[CODE3] stops at the first block that fails', async () => {
    const ran: string[] = [];
    const agent = legacy({
      runCode: (code, { language, filename }) => {
        ran.push(`${language} ${filename} ${code}`);
        return { exitCode: code.includes('exit') ? 2 : 0, output: 'out\n' };
      },
    });
    const messages = said(
      `${python('# filename: a.py\nx = 1')}\n\`\`\`sh\nexit 2\n\`\`\`\n${python('never')}`,
    );
    expect(await agent.generateReply({ messages })).toBe(
      'exitcode: 2 (execution failed)\nCode output: \nout\n\nout\n',
    );
    expect(ran).toEqual(['python a.py # filename: a.py\nx = 1', 'sh null exit 2']);
  });

  test('[CODE3] does not run languages it does not know', async () => {
    const messages = said('```cobol\nDISPLAY 1\n```');
    expect(await legacy({}).generateReply({ messages })).toBe(
      'exitcode: 1 (execution failed)\nCode output: \nunknown language cobol',
    );
  });

  test('[CODE3] runs on the local command line where nothing else is given', async () => {
    const messages = said('```sh\necho here\n```');
    expect(await legacy({ timeoutMs: 20_000 }).generateReply({ messages })).toBe(
      'exitcode: 0 (execution succeeded)\nCode output: \nhere\n',
    );
  });
});
