import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa, execaSync } from 'execa';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LocalCommandLineCodeExecutor } from '../src/index.ts';
import { canIsolate, isolations } from './isolation.ts';

let workDir: string;

beforeAll(async () => {
  workDir = await mkdtemp(join(tmpdir(), 'teamfuse-test-'));
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
});

afterAll(async () => {
  await rm(workDir, { recursive: true });
});

// Nobody can clean up after a SIGKILL; only in a namespace does the system do it.
const endings = canIsolate ? ['SIGTERM', 'SIGKILL'] : ['SIGTERM'];

/** Whether a process that has `text` among its arguments still runs. */
function isAlive(text: string): boolean {
  const { stdout } = execaSync('ps', ['-axo', 'stat=,args=']);
  return stdout.split('\n').some((line) => line.includes(text) && !line.startsWith('Z'));
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

/** Runs a program of a host that has an executor and nothing else to wait for. */
async function hosted(program: string) {
  const host = join(workDir, 'host.mjs');
  const imports = `import { watch } from 'node:fs';
import { LocalCommandLineCodeExecutor } from './built/index.mjs';
`;
  await writeFile(host, imports + program);
  return execa(process.execPath, [host], { reject: false });
}

/** How long a program takes on this machine, and beside all it does just now, that does nothing. */
async function emptyRunMs(language = 'sh'): Promise<number> {
  return (await run('', 20_000, language)).tookMs;
}

/** Waits until no process has `text` among its arguments, for less time than one of them would take by itself. */
function expectEnded(text: string): Promise<void> {
  return expect.poll(() => isAlive(text), { timeout: 20_000 }).toBe(false);
}

describe('time-out', () => {
  test('[EX6] keeps what was printed before it', async () => {
    const code = 'import time\nprint("before")\ntime.sleep(30)';
    const result = await run(code, Math.ceil(500 + 4 * (await emptyRunMs('python'))), 'python');
    expect(result).toMatchObject({ exitCode: 124, output: 'before\n\nTimeout' });
  });

  test('[EX6] gives each block its own time', async () => {
    const timeoutMs = Math.ceil(400 + 4 * (await emptyRunMs()));
    await using executor = new LocalCommandLineCodeExecutor({ timeoutMs });
    const block = { language: 'sh', code: `sleep ${(0.4 * timeoutMs) / 1_000}; echo done` };
    const result = await executor.executeCodeBlocks([block, block, block]);
    expect(result).toMatchObject({ exitCode: 0, output: 'done\ndone\ndone\n' });
  });

  test('[PROC3] ends a program that ignores polite signals', async () => {
    const heeding = await run('sleep 30', 300);
    const result = await run('trap "" TERM INT HUP; while :; do sleep 0.05; done', 300);
    expect(result.exitCode).toBe(124);
    expect(result.tookMs).toBeLessThan(2_000 + 4 * heeding.tookMs);
  });

  test('[PROC1] ends a fork of sleepers, down to the grandchildren', async () => {
    const code = 'for i in 1 2 3 4; do (sh -c "sleep 30.00$i; :") & done; wait';
    const alone = await run('sleep 30', 400);
    const result = await run(code, 400);
    expect(result).toMatchObject({ exitCode: 124, output: '\nTimeout' });
    expect(result.tookMs).toBeLessThan(5_000 + 4 * alone.tookMs);
    await expectEnded('sleep 30.00');
  });
});

describe('children', () => {
  test('[PROC1] [PROC2] neither waits for a child that outlives its parent nor leaves it behind', async () => {
    const emptyMs = await emptyRunMs();
    const result = await run('sleep 30.1 & echo parent done', 20_000);
    expect(result).toMatchObject({ exitCode: 0, output: 'parent done\n' });
    expect(result.tookMs).toBeLessThan(5_000 + 4 * emptyMs);
    await expectEnded('sleep 30.1');
  });

  test('[PROC1] [PROC2] neither waits for a child that left the group with the pipe nor leaves it behind', async () => {
    const emptyMs = await emptyRunMs();
    const result = await run('setsid sleep 30.2 & echo done', 20_000);
    expect(result.exitCode).toBe(0);
    expect(result.tookMs).toBeLessThan(3_000 + 4 * emptyMs);
    await expectEnded('sleep 30.2');
  });

  test.each(isolations)(
    '[PROC9] go on when one that was left to itself ends before, with isolation %s',
    async (isolation) => {
      await using executor = new LocalCommandLineCodeExecutor({ isolation });
      const code = '(sleep 0.05 &)\nsleep 0.3\n(sleep 0.05 &)\nsleep 0.3\necho done';
      const result = await executor.executeCodeBlocks([{ language: 'sh', code }]);
      expect(result).toMatchObject({ exitCode: 0, output: 'done\n' });
    },
  );

  test('[PROC2] reads what a helper process flushes after the end', async () => {
    // It starts no program of its own, which may take a busy machine longer than anybody waits.
    const code = `exec > >(read -rd "" text; printf '%s\\n' "$text") 2>&1; echo through the pipe`;
    const result = await run(code, 20_000, 'bash');
    expect(result).toMatchObject({ exitCode: 0, output: 'through the pipe\n' });
  });

  test.each(endings)(
    '[PROC4] does not leave a program behind when the host gets %s',
    async (signal) => {
      await rm(join(workDir, 'hosted'), { force: true });
      const end = await hosted(`
      watch(import.meta.dirname, (_, name) => {
        if (name === 'hosted') process.kill(process.pid, '${signal}');
      });
      const executor = new LocalCommandLineCodeExecutor({ workDir: import.meta.dirname });
      const code = 'touch hosted; exec sleep 30.3';
      await executor.executeCodeBlocks([{ language: 'sh', code }]);`);
      expect(end.signal).toBe(signal);
      await expectEnded('sleep 30.3');
    },
  );

  test.each(['auto', 'none'])(
    '[PROC9] that are too many leave the host to its end, and free (isolation: %s)',
    async (isolation) => {
      const end = await hosted(`
      let late = 0;
      let before = performance.now();
      setInterval(() => {
        late = Math.max(late, performance.now() - before);
        before = performance.now();
      }, 10).unref();
      const executor = new LocalCommandLineCodeExecutor({ isolation: '${isolation}', maxProcesses: 64 });
      const code = 'for i in $(seq 300); do sleep 30.5 & done';
      const { exitCode, output } = await executor.executeCodeBlocks([{ language: 'bash', code }]);
      console.log(JSON.stringify({ exitCode, output, late }));`);
      expect(end.exitCode).toBe(0);
      const { exitCode, output, late } = JSON.parse(end.stdout);
      expect([exitCode, output]).toEqual([126, '\nStopped: more than 64 processes']);
      expect(late).toBeLessThan(2_000);
      await expectEnded('sleep 30.5');
    },
  );

  test('[PROC9] that are few enough run to their end', async () => {
    const end = await hosted(`
      const executor = new LocalCommandLineCodeExecutor({ maxProcesses: 64 });
      const code = 'for i in $(seq 9); do sleep 0.1 & done; wait; echo done';
      console.log((await executor.executeCodeBlocks([{ language: 'bash', code }])).output);`);
    expect([end.exitCode, end.stdout]).toEqual([0, 'done\n']);
  });
});

describe('cancellation', () => {
  test('[EX7] really ends the program, in a moment', async () => {
    const controller = new AbortController();
    const code = 'touch cancelled; echo started; sleep 30.4';
    const emptyMs = await emptyRunMs();
    const running = run(code, 20_000, 'sh', controller.signal);
    while (!existsSync(join(workDir, 'cancelled'))) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    controller.abort();
    const result = await running;
    expect(result.exitCode).toBe(125);
    expect(result.output).toMatch(/^(started\n)?\nCancelled$/);
    expect(result.tookMs).toBeLessThan(5_000 + 4 * emptyMs);
    await expectEnded('sleep 30.4');
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
    const timeoutMs = Math.ceil(500 + 2 * (await emptyRunMs()));
    const before = process.memoryUsage.rss();
    const result = await run('yes 0123456789', timeoutMs);
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
