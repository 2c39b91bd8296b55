import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LocalCommandLineCodeExecutor } from '../src/index.ts';

let workDir: string;

beforeAll(async () => {
  workDir = await mkdtemp(join(tmpdir(), 'teamfuse-test-'));
});

afterAll(async () => {
  await rm(workDir, { recursive: true });
});

/** Whether the process whose id a program wrote to `file` still runs; a zombie does not. */
function isAlive(file: string): boolean {
  const pid = readFileSync(join(workDir, file), 'utf8').trim();
  const stat = `/proc/${pid}/stat`;
  if (!existsSync('/proc/self/stat')) return isSignalable(Number(pid));
  return existsSync(stat) && !readFileSync(stat, 'utf8').includes(') Z ');
}

function isSignalable(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function run(code: string, timeoutMs: number, language = 'sh', signal?: AbortSignal) {
  await using executor = new LocalCommandLineCodeExecutor({
    workDir,
    timeoutMs,
    maxOutputBytes: 20_000,
  });
  const start = performance.now();
  const result = await executor.executeCodeBlocks([{ language, code }], signal ? { signal } : {});
  return { ...result, tookMs: performance.now() - start };
}

describe('time-out', () => {
  test('[EX6] keeps what was printed before it', async () => {
    const code = 'import time\nprint("before")\ntime.sleep(30)';
    const result = await run(code, 1_500, 'python');
    expect(result).toMatchObject({ exitCode: 124, output: 'before\n\nTimeout' });
  });

  test('[EX6] gives each block its own time', async () => {
    await using executor = new LocalCommandLineCodeExecutor({ timeoutMs: 1_100 });
    const block = { language: 'sh', code: 'sleep 0.6; echo done' };
    const result = await executor.executeCodeBlocks([block, block]);
    expect(result).toMatchObject({ exitCode: 0, output: 'done\ndone\n' });
  });

  test('[PROC3] ends a program that ignores polite signals', async () => {
    const result = await run('trap "" TERM INT HUP; while :; do sleep 0.05; done', 300);
    expect(result.exitCode).toBe(124);
    expect(result.tookMs).toBeLessThan(2_000);
  });

  test('[PROC1] ends a fork of sleepers, down to the grandchildren', async () => {
    const code = 'for i in 1 2 3 4; do (sh -c "echo \\$\\$ > fork-$i; sleep 30; :") & done; wait';
    const result = await run(code, 1_000);
    expect(result).toMatchObject({ exitCode: 124, output: '\nTimeout' });
    expect(result.tookMs).toBeLessThan(5_000);
    for (const child of [1, 2, 3, 4]) {
      await expect.poll(() => isAlive(`fork-${child}`)).toBe(false);
    }
  });
});

describe('children', () => {
  test('[PROC1] [PROC2] neither waits for a child that outlives its parent nor leaves it behind', async () => {
    const result = await run('sleep 30 & echo $! > orphan; echo parent done', 20_000);
    expect(result).toMatchObject({ exitCode: 0, output: 'parent done\n' });
    expect(result.tookMs).toBeLessThan(5_000);
    await expect.poll(() => isAlive('orphan')).toBe(false);
  });

  test('[PROC2] does not wait for a child that left the group with the pipe', async () => {
    const result = await run('setsid sh -c "echo \\$\\$ > escaped; sleep 4" & echo done', 20_000);
    expect(result.exitCode).toBe(0);
    expect(result.tookMs).toBeLessThan(3_000);
  });

  test('[PROC2] reads what a helper process flushes after the end', async () => {
    const code = 'exec > >(sleep 0.05; cat) 2>&1; echo through the pipe';
    const result = await run(code, 20_000, 'bash');
    expect(result).toMatchObject({ exitCode: 0, output: 'through the pipe\n' });
  });

  test('[PROC4] does not leave a program behind when the host is interrupted', async () => {
    await build({
      configFile: false,
      logLevel: 'silent',
      ssr: { noExternal: true },
      build: {
        ssr: fileURLToPath(new URL('../src/index.ts', import.meta.url)),
        outDir: join(workDir, 'built'),
        rolldownOptions: { output: { entryFileNames: 'index.mjs' } },
      },
    });
    const host = join(workDir, 'host.mjs');
    await writeFile(
      host,
      `import { LocalCommandLineCodeExecutor } from './built/index.mjs';
      const executor = new LocalCommandLineCodeExecutor({ workDir: import.meta.dirname });
      const code = 'echo $$ > hosted; kill -TERM $PPID; sleep 30; echo survived > hosted';
      await executor.executeCodeBlocks([{ language: 'sh', code }]);`,
    );
    const end = await execa(process.execPath, [host], { reject: false });
    expect(end.signal).toBe('SIGTERM');
    await expect.poll(() => isAlive('hosted')).toBe(false);
  });
});

describe('cancellation', () => {
  test('[EX7] really ends the program, in a moment', async () => {
    const controller = new AbortController();
    const code = 'echo $$ > cancelled.tmp; mv cancelled.tmp cancelled; echo started; sleep 30';
    const running = run(code, 20_000, 'sh', controller.signal);
    while (!existsSync(join(workDir, 'cancelled'))) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    controller.abort();
    const result = await running;
    expect(result.exitCode).toBe(125);
    expect(result.output).toMatch(/^(started\n)?\nCancelled$/);
    expect(result.tookMs).toBeLessThan(5_000);
    await expect.poll(() => isAlive('cancelled')).toBe(false);
  });

  test('[EX7] starts nothing when it was cancelled before', async () => {
    const result = await run('touch started-anyway', 20_000, 'sh', AbortSignal.abort());
    expect(result).toMatchObject({ exitCode: 125, output: '\nCancelled' });
    expect(existsSync(join(workDir, 'started-anyway'))).toBe(false);
  });

  test('[WS6] closes while a program runs', async () => {
    const executor = new LocalCommandLineCodeExecutor();
    const running = executor.executeCodeBlocks([{ language: 'sh', code: 'sleep 30' }]);
    await executor.close();
    expect(await running).toMatchObject({ exitCode: 125 });
  });
});

describe('output', () => {
  test('[OUT1] [OUT2] survives an infinite printer', async () => {
    const before = process.memoryUsage.rss();
    const result = await run('yes 0123456789', 700);
    expect(result.exitCode).toBe(124);
    expect(result.output.length).toBeLessThan(21_000);
    expect(result.output).toMatch(/bytes left out[\s\S]*0123456789\n[0-9]*\n?\nTimeout$/);
    expect(process.memoryUsage.rss() - before).toBeLessThan(150 * 2 ** 20);
  });

  test('[OUT1] keeps the end of a long output, where the error stands', async () => {
    const code = 'import sys\nprint("x" * 300_000)\nsys.exit("what went wrong")';
    const result = await run(code, 20_000, 'python');
    expect(result.exitCode).toBe(1);
    expect(result.output).toMatch(/^what went wrong\nx+\n\[\.\.\. 280001 bytes left out/);
  });

  test('[EX1] stores the code as it came', async () => {
    await run('# filename: exact.sh\necho "é漢😀"', 20_000);
    expect(await readFile(join(workDir, 'exact.sh'), 'utf8')).toBe(
      '# filename: exact.sh\necho "é漢😀"',
    );
  });
});
