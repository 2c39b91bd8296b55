import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CodeExecutorError, LocalCommandLineCodeExecutor } from '../src/index.ts';

let workDir: string;
let executor: LocalCommandLineCodeExecutor;

beforeAll(async () => {
  workDir = await mkdtemp(join(tmpdir(), 'teamfuse-test-'));
  executor = new LocalCommandLineCodeExecutor({ workDir, timeoutMs: 20_000 });
});

afterAll(async () => {
  await executor.close();
  await rm(workDir, { recursive: true });
});

describe('languages', () => {
  test.each([
    ['python', 'print("hi")'],
    ['Python3', 'print("hi")'],
    ['py', 'print("hi")'],
    ['sh', 'echo hi'],
    ['shell', 'echo hi'],
    ['bash', '[[ a == a ]] && echo hi'],
    ['javascript', 'console.log("hi")'],
    ['JS', 'const { EOL } = require("node:os"); process.stdout.write("hi" + EOL)'],
    ['node', 'import { EOL } from "node:os"; process.stdout.write("hi" + EOL)'],
  ])('[EX1] runs %s', async (language, code) => {
    const result = await executor.executeCodeBlocks([{ language, code }]);
    expect(result).toMatchObject({ exitCode: 0, output: 'hi\n' });
  });

  test('[EX2] does not know html', async () => {
    const result = await executor.executeCodeBlocks([{ language: 'HTML', code: '<p>' }]);
    expect(result).toEqual({ exitCode: 1, output: '\nunknown language html' });
  });

  test('[EX8] says that an interpreter is missing', async () => {
    await using poor = new LocalCommandLineCodeExecutor({ env: { PATH: '/nowhere' } });
    const result = await poor.executeCodeBlocks([{ language: 'bash', code: 'echo hi' }]);
    expect(result.exitCode).toBe(127);
    expect(result.output).toMatch(/could not be started: .*bash.*ENOENT/);
  });
});

describe('results', () => {
  test('[EX3] joins the outputs and stops at the first failure', async () => {
    const result = await executor.executeCodeBlocks([
      { language: 'sh', code: 'echo one' },
      { language: 'sh', code: 'echo two; exit 4' },
      { language: 'sh', code: 'echo three' },
    ]);
    expect(result).toMatchObject({ exitCode: 4, output: 'one\ntwo\n' });
  });

  test('[EX4] puts standard error before standard output', async () => {
    const code = 'echo out; echo err >&2';
    const result = await executor.executeCodeBlocks([{ language: 'sh', code }]);
    expect(result.output).toBe('err\nout\n');
  });

  test('[EX5] gives the signal that ended a program as a negative exit code', async () => {
    const result = await executor.executeCodeBlocks([{ language: 'sh', code: 'kill -9 $$' }]);
    expect(result).toMatchObject({ exitCode: -9, output: '' });
  });

  test('[EX9] gives a program that asks for input nothing', async () => {
    const result = await executor.executeCodeBlocks([{ language: 'sh', code: 'cat; echo end' }]);
    expect(result.output).toBe('end\n');
  });

  test('[EX10] runs no blocks', async () => {
    expect(await executor.executeCodeBlocks([])).toEqual({ exitCode: 0, output: '' });
  });

  test('[EX11] hides the environment of the host when one is given', async () => {
    const env = { ONLY: 'this' };
    await using closed = new LocalCommandLineCodeExecutor({ env });
    const code = 'console.log(JSON.stringify(process.env))';
    const result = await closed.executeCodeBlocks([{ language: 'node', code }]);
    const { TEAMFUSE_RUN, ...rest } = JSON.parse(result.output);
    expect(rest).toEqual(env);
  });
});

describe('workspace', () => {
  test('[WS1] names a file after the md5 of its code and runs it in the work directory', async () => {
    const result = await executor.executeCodeBlocks([{ language: 'sh', code: 'ls' }]);
    expect(result.codeFile).toBe(join(workDir, 'tmp_code_44ba5ca65651b4f36f1927576dd35436.sh'));
    expect(result.output).toContain('tmp_code_44ba5ca65651b4f36f1927576dd35436.sh\n');
  });

  test.each([
    ['python', '# filename: deep/er/one.py\nprint("kept")', 'deep/er/one.py'],
    ['node', '// filename: two.mjs\nconsole.log("kept")', 'two.mjs'],
  ])('[WS2] stores %s code under the name it asks for', async (language, code, name) => {
    const result = await executor.executeCodeBlocks([{ language, code }]);
    expect(result).toMatchObject({ output: 'kept\n', codeFile: join(workDir, name) });
    expect(await readFile(join(workDir, name), 'utf8')).toBe(code);
  });

  test.each(['../one.py', '/tmp/one.py', 'a/../../one.py', '.', '..'])(
    '[WS3] refuses the file name %s',
    async (name) => {
      const code = `# filename: ${name}\nprint(1)`;
      const result = await executor.executeCodeBlocks([{ language: 'python', code }]);
      expect(result).toEqual({ exitCode: 1, output: 'Filename is not in the workspace' });
    },
  );

  test('[WS3] refuses a symbolic link that leads out', async () => {
    const outside = join(dirname(workDir), `outside-${process.pid}.py`);
    await symlink(dirname(workDir), join(workDir, 'way-out'));
    const code = `# filename: way-out/outside-${process.pid}.py\nprint(1)`;
    const result = await executor.executeCodeBlocks([{ language: 'python', code }]);
    expect(result.output).toBe('Filename is not in the workspace');
    expect(existsSync(outside)).toBe(false);
  });

  test.each([
    ['a link to nothing', 'ln -s ../left-behind way.py', 'way.py'],
    ['a link to a file inside', 'touch inside.py; ln -s inside.py way.py', 'way.py'],
    ['a link to a directory inside', 'mkdir -p inside; ln -s inside way', 'way/one.py'],
    ['a pipe, which nobody reads', 'mkfifo way.py', 'way.py'],
    ['a directory', 'mkdir way.py', 'way.py'],
  ])('[WS3] refuses the name of %s', async (_, prepare, name) => {
    await using own = new LocalCommandLineCodeExecutor();
    const blocks = [
      { language: 'sh', code: prepare },
      { language: 'python', code: `# filename: ${name}\nprint(1)` },
    ];
    const { exitCode, output, codeFile = '' } = await own.executeCodeBlocks(blocks);
    expect({ exitCode, output }).toEqual({
      exitCode: 1,
      output: 'Filename is not in the workspace',
    });
    expect(existsSync(join(dirname(codeFile), '../left-behind'))).toBe(false);
  });

  test('[WS8] replaces a file that has other links', async () => {
    await using own = new LocalCommandLineCodeExecutor();
    const { output } = await own.executeCodeBlocks([
      { language: 'sh', code: 'echo first >one; ln one two.sh' },
      { language: 'sh', code: '# filename: two.sh\ncat one' },
    ]);
    expect(output).toBe('first\n');
  });

  test('[WS7] removes no file that a block has put a link in the way of', async () => {
    await using own = new LocalCommandLineCodeExecutor({ workDir, cleanupTempFiles: true });
    const code =
      '# filename: swap/kept.sh\nmkdir other; cp swap/kept.sh other; rm -r swap; ln -s other swap';
    await own.executeCodeBlocks([{ language: 'sh', code }]);
    expect(existsSync(join(workDir, 'other/kept.sh'))).toBe(true);
  });

  test('[WS4] says why a file cannot be written', async () => {
    const code = `# filename: ${'x'.repeat(300)}\nprint(1)`;
    const result = await executor.executeCodeBlocks([{ language: 'python', code }]);
    expect(result).toMatchObject({ exitCode: 1, output: expect.stringContaining('ENAMETOOLONG') });
  });

  test('[WS5] tells the file of the first block', async () => {
    const { codeFile } = await executor.executeCodeBlocks([
      { language: 'sh', code: '# filename: first.sh\necho 1' },
      { language: 'sh', code: '# filename: second.sh\necho 2' },
    ]);
    expect(codeFile).toBe(join(workDir, 'first.sh'));
  });

  test('[WS6] removes its temporary directory and runs nothing after close', async () => {
    const own = new LocalCommandLineCodeExecutor();
    const { codeFile = '' } = await own.executeCodeBlocks([{ language: 'sh', code: 'true' }]);
    expect(existsSync(codeFile)).toBe(true);
    await own.close();
    await own.close();
    expect(existsSync(dirname(codeFile))).toBe(false);
    await expect(own.executeCodeBlocks([])).rejects.toMatchObject({ code: 'CLOSED' });
  });

  test('[WS7] removes the files of the blocks once the last has run', async () => {
    const tidy = new LocalCommandLineCodeExecutor({ workDir, cleanupTempFiles: true });
    const { codeFile = '', output } = await tidy.executeCodeBlocks([
      { language: 'sh', code: '# filename: told.sh\necho told' },
      { language: 'sh', code: 'sh told.sh; echo kept >kept.txt' },
    ]);
    expect(output).toBe('told\ntold\n');
    expect(existsSync(codeFile)).toBe(false);
    expect(existsSync(join(workDir, 'kept.txt'))).toBe(true);
  });

  test('[WS7] leaves them where they are otherwise', async () => {
    const { codeFile = '' } = await executor.executeCodeBlocks([{ language: 'sh', code: ':' }]);
    expect(existsSync(codeFile)).toBe(true);
  });
});

describe('options', () => {
  test.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31])(
    '[OPT1] refuses a time-out of %s',
    (timeoutMs) => {
      expect(() => new LocalCommandLineCodeExecutor({ timeoutMs })).toThrow(
        new CodeExecutorError(
          'INVALID_OPTION',
          `option 'timeoutMs': expected an integer from 1 to 2147483647, received ${timeoutMs}`,
        ),
      );
    },
  );

  test.each<[string, unknown, string]>([
    [
      "AutoGen's name",
      { timeout: 5 },
      "there is no option 'timeout'; it is called 'timeoutMs' here",
    ],
    ['an unknown name', { cwd: '.' }, "there is no option 'cwd'; there are workDir, timeoutMs, "],
    ['a text for options', 'minimal', 'options: expected an object, received minimal'],
    ['null for options', null, 'options: expected an object, received null'],
    ['no directory', { workDir: '' }, "option 'workDir': expected a text that is not empty"],
    [
      'another kind',
      { cleanupTempFiles: 'no' },
      "option 'cleanupTempFiles': expected true or false",
    ],
    ['a number for env', { env: 5 }, "option 'env': expected 'minimal', 'inherit' or an object"],
    ['a number in env', { env: { PORT: 80 } }, "option 'env.PORT': expected a text, received 80"],
    ['one name', { passEnv: 'HOME' }, "option 'passEnv': expected a list of names"],
  ])('[OPT2] refuses %s', (_, options, problem) => {
    expect(() => new LocalCommandLineCodeExecutor(options as object)).toThrow(problem);
  });

  test('[OPT2] repeats no value of the environment', () => {
    const env = { TOKEN: 'secret\0' };
    const build = () => new LocalCommandLineCodeExecutor({ env });
    expect(build).toThrow("option 'env.TOKEN': expected a text without NUL");
    expect(build).not.toThrow('secret');
  });
});
