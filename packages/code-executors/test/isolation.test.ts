import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { LocalCommandLineCodeExecutor } from '../src/index.ts';
import { canIsolate, isolations } from './isolation.ts';

let workDir: string;

beforeEach(async () => {
  workDir = await mkdtemp(join(tmpdir(), 'teamfuse-test-'));
});

afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(workDir, { recursive: true });
});

async function run(
  code: string,
  options: ConstructorParameters<typeof LocalCommandLineCodeExecutor>[0] = {},
  language = 'sh',
) {
  await using executor = new LocalCommandLineCodeExecutor({ workDir, ...options });
  return await executor.executeCodeBlocks([{ language, code }]);
}

describe('environment', () => {
  const print = 'console.log(JSON.stringify(process.env))';

  test('[EX12] is the harmless variables and directories of the executor', async () => {
    vi.stubEnv('SOME_API_KEY', 'sk-secret');
    vi.stubEnv('LC_TIME', 'C');
    const { output } = await run(print, {}, 'node');
    const { HOME, TMPDIR, PATH, ...rest } = JSON.parse(output);
    expect(PATH).toBe(process.env.PATH);
    expect(rest).toMatchObject({ LC_TIME: 'C' });
    expect(Object.keys(rest).join()).toMatch(
      /^((LANG|LANGUAGE|LC_\w+|TZ|LD_LIBRARY_PATH|TEAMFUSE_RUN)(,|$))*$/,
    );
    expect(HOME).not.toBe(process.env.HOME);
    expect([existsSync(HOME), existsSync(TMPDIR)]).toEqual([false, false]);
  });

  test('[EX12] has what passEnv names besides', async () => {
    vi.stubEnv('CUDA_VISIBLE_DEVICES', '0');
    const options = { passEnv: ['CUDA_VISIBLE_DEVICES', 'HOME', 'NOT_SET_ANYWHERE'] };
    const { output } = await run('echo $CUDA_VISIBLE_DEVICES $HOME $NOT_SET_ANYWHERE', options);
    expect(output).toBe(`0 ${process.env.HOME}\n`);
  });

  test('[EX11] is that of this process when it is inherited', async () => {
    vi.stubEnv('SOME_API_KEY', 'sk-secret');
    expect((await run('echo $SOME_API_KEY', { env: 'inherit' })).output).toBe('sk-secret\n');
  });

  test('[EX13] keeps its home until it is closed', async () => {
    await using executor = new LocalCommandLineCodeExecutor({ workDir });
    await executor.executeCodeBlocks([{ language: 'sh', code: 'echo kept >~/note' }]);
    const later = await executor.executeCodeBlocks([{ language: 'sh', code: 'cat ~/note' }]);
    expect(later.output).toBe('kept\n');
  });

  test.each([
    ['env', 'all', "'minimal', 'inherit' or an object"],
    ['isolation', 'maybe', "'auto', 'required' or 'none'"],
  ])('[OPT1] refuses %s %s', (option, value, expected) => {
    expect(() => new LocalCommandLineCodeExecutor({ [option]: value })).toThrow(
      `option '${option}': expected ${expected}, received "${value}"`,
    );
  });

  test('[OPT1] refuses passEnv beside an environment', () => {
    const options = { env: 'inherit', passEnv: ['HOME'] } as const;
    expect(() => new LocalCommandLineCodeExecutor(options)).toThrow("option 'passEnv': expected");
  });
});

describe('namespace', () => {
  test.runIf(canIsolate)('[PROC5] shows a program only the processes of its block', async () => {
    const { output } = await run('ls -d /proc/[0-9]* | wc -l; kill -9 1; echo alive');
    expect(output).toMatch(/^[1-6]\nalive\n$/);
  });

  test('[PROC6] runs nothing where one is required and cannot be had', async () => {
    vi.stubEnv('PATH', workDir);
    const required = run('touch ran', { isolation: 'required' });
    await expect(required).rejects.toMatchObject({ code: 'ISOLATION_UNAVAILABLE' });
    expect(existsSync(join(workDir, 'ran'))).toBe(false);
  });

  test('[PROC6] is done without where it cannot be had and is not required', async () => {
    vi.stubEnv('PATH', workDir);
    const result = await run('echo ran', { env: { PATH: '/usr/bin:/bin' } });
    expect(result).toMatchObject({ exitCode: 0, output: 'ran\n' });
  });
});

describe.each(isolations)('limits with isolation %s', (isolation) => {
  test('[PROC8] on files, whatever is deleted elsewhere meanwhile', async () => {
    const elsewhere = join(workDir, 'elsewhere');
    await mkdir(elsewhere);
    const names = Array.from({ length: 300 }, (_, i) => join(elsewhere, `${i}`));
    await Promise.all(names.map((name) => writeFile(name, '')));
    const make = 'i=0; while [ $i -lt 99 ]; do : >$i; i=$((i+1)); done';
    const result = await run(`rm -rf elsewhere; ${make}`, { isolation, maxFiles: 50 });
    expect(result).toMatchObject({ exitCode: 126, output: '\nStopped: more than 50 files' });
  });

  test('[PROC8] on processes, also of those that wait', async () => {
    const code = 'i=0; while [ $i -lt 60 ]; do sleep 20 & i=$((i+1)); done; wait';
    const result = await run(code, { isolation, maxProcesses: 30 });
    expect(result.exitCode).not.toBe(0);
    expect(result.output).toMatch(/Stopped: more than 30 processes$|[Cc]annot fork|unavailable/);
  });

  test('[PROC8] on files, also of a program that has ended', async () => {
    const code = 'mkdir -p a/b; cd a/b; i=0; while [ $i -lt 99 ]; do : >$i; i=$((i+1)); done';
    const result = await run(code, { isolation, maxFiles: 50 });
    expect(result).toMatchObject({ exitCode: 126, output: '\nStopped: more than 50 files' });
  });

  test('[PROC8] on the bytes of all files together', async () => {
    const code = 'for i in 1 2 3 4; do head -c 900000 /dev/zero >$TMPDIR/$i; done';
    const result = await run(code, { isolation, maxFileBytes: 1_000_000 });
    expect(result.output).toBe('\nStopped: more than 1000000 bytes of files');
  });

  test('[PROC8] not for what was there before, nor for what is allowed', async () => {
    await run('i=0; while [ $i -lt 99 ]; do : >$i; i=$((i+1)); done', { isolation });
    const result = await run('ls | wc -l; rm 1 2 3; : >new', { isolation, maxFiles: 10 });
    expect(result.exitCode).toBe(0);
  });

  test.each(['TMPDIR', 'HOME', 'PWD'])(
    '[PROC8] also where the program has removed its $%s: it gives its own result',
    async (directory) => {
      await using executor = new LocalCommandLineCodeExecutor({ isolation });
      const code = `rm -rf "$${directory}"; echo gone; exit 3`;
      const result = await executor.executeCodeBlocks([{ language: 'sh', code }]);
      expect(result).toMatchObject({ exitCode: 3, output: expect.stringContaining('gone\n') });
      const next = await executor.executeCodeBlocks([{ language: 'sh', code: 'echo next' }]);
      expect(next).toMatchObject({ exitCode: 0, output: 'next\n' });
    },
  );
});
