import {
  chmod,
  copyFile,
  mkdtemp,
  readdir,
  readFile,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execaSync } from 'execa';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { DockerCommandLineCodeExecutor } from '../../src/index.ts';

const FAKE = fileURLToPath(new URL('fake-docker.mjs', import.meta.url));
/** Less than what is waited for takes by itself. */
const POLL = { timeout: 20_000 };
const hello = [{ language: 'sh', code: 'echo hello' }];
let bin: string;

beforeEach(async () => {
  bin = await mkdtemp(join(tmpdir(), 'teamfuse-docker-'));
  await symlink(process.execPath, join(bin, 'node'));
  vi.stubEnv('PATH', `${bin}:/usr/bin:/bin`);
});

afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(bin, { recursive: true });
});

async function installDocker(...faults: string[]): Promise<void> {
  await copyFile(FAKE, join(bin, 'docker'));
  await chmod(join(bin, 'docker'), 0o755);
  for (const fault of faults) await writeFile(join(bin, fault), '');
}

async function calls(): Promise<string[][]> {
  const lines = (await readFile(join(bin, 'calls.jsonl'), 'utf8')).trim().split('\n');
  return lines.map((line) => JSON.parse(line));
}

function isAlive(text: string): boolean {
  const { stdout } = execaSync('ps', ['-axo', 'stat=,args=']);
  return stdout.split('\n').some((line) => line.includes(text) && !line.startsWith('Z'));
}

describe('DockerCommandLineCodeExecutor', () => {
  test('[DOCK1] runs each block in a closed container of its own', async () => {
    await installDocker();
    await using executor = new DockerCommandLineCodeExecutor();
    const result = await executor.executeCodeBlocks([
      { language: 'sh', code: '# filename: a/one.sh\necho one; echo err >&2; touch left' },
      { language: 'python', code: 'import os; print(os.path.exists("left"))' },
      { language: 'js', code: 'process.exit(3)' },
    ]);
    const { codeFile = '' } = result;
    expect(result).toEqual({ exitCode: 3, output: 'err\none\nTrue\n', codeFile });
    const runs = (await calls()).filter(([command]) => command === 'run');
    const [first = [], second = [], third = []] = runs;
    expect(first).toEqual([
      ...[
        'run',
        '--rm',
        '--init',
        '--pull',
        'never',
        '--name',
        expect.stringMatching(/^teamfuse-/),
      ],
      ...['--network', 'none', '--memory', '2147483648', '--memory-swap', '2147483648'],
      ...['--pids-limit', '256', '--ulimit', 'fsize=4294967296', '--ulimit', 'core=0'],
      ...['--cap-drop', 'ALL', '--security-opt', 'no-new-privileges'],
      ...['--user', `${process.getuid?.()}:${process.getgid?.()}`],
      ...['--mount', `type=bind,"source=${dirname(dirname(codeFile))}",target=/workspace`],
      ...['--workdir', '/workspace', '--env', 'HOME=/tmp'],
      ...['python:3-slim', 'sh', '/workspace/a/one.sh'],
    ]);
    expect(second.slice(-3, -1)).toEqual(['python3', '-u']);
    expect(third.at(-2)).toBe('node');
    expect(new Set(runs.map((args) => args[6])).size).toBe(3);
  });

  test('[DOCK1] takes image, network and limits from its options', async () => {
    await installDocker();
    const workDir = await mkdtemp(join(bin, 'with, "odd" name-'));
    await using executor = new DockerCommandLineCodeExecutor({
      ...{ workDir, image: 'node:22', network: 'bridge' },
      ...{ maxMemoryBytes: 1e8, maxProcesses: 9, maxFileBytes: 1e6 },
    });
    expect(await executor.executeCodeBlocks(hello)).toMatchObject({ output: 'hello\n' });
    const run = (await calls()).at(2)?.join(' ');
    for (const part of [
      'network bridge',
      'memory 100000000',
      'pids-limit 9',
      'fsize=1000000',
      ' node:22 ',
    ]) {
      expect(run).toContain(part);
    }
    expect(await readdir(workDir)).toHaveLength(1);
  });

  test('[DOCK2] is refused where there is no Docker, before anything runs', async () => {
    const workDir = join(bin, 'work');
    await using executor = new DockerCommandLineCodeExecutor({ workDir });
    vi.stubEnv('PATH', bin);
    await expect(executor.executeCodeBlocks(hello)).rejects.toMatchObject({
      code: 'DOCKER_UNAVAILABLE',
      message: expect.stringContaining('there is no `docker` on the search path'),
    });
    expect(await readdir(bin)).toEqual(['node']);
  });

  test.each([
    ['the daemon does not run', ['no-daemon'], 'Cannot connect to the Docker daemon'],
    ['the image cannot be pulled', ['no-image', 'no-registry'], 'manifest unknown'],
  ])('[DOCK2] is refused where %s', async (_, faults, reason) => {
    await installDocker(...faults);
    await using executor = new DockerCommandLineCodeExecutor();
    await expect(executor.executeCodeBlocks(hello)).rejects.toMatchObject({
      code: 'DOCKER_UNAVAILABLE',
      message: expect.stringContaining(reason),
    });
    expect((await calls()).some(([command]) => command === 'run')).toBe(false);
  });

  test('[DOCK3] pulls an image that is missing, once', async () => {
    await installDocker('no-image');
    await using executor = new DockerCommandLineCodeExecutor({ image: 'mine:1' });
    await executor.executeCodeBlocks(hello);
    await executor.executeCodeBlocks(hello);
    const pulls = (await calls()).filter(([command]) => command === 'pull');
    expect(pulls).toEqual([['pull', '--quiet', 'mine:1']]);
  });

  test('[DOCK4] removes the container when the time is up', async () => {
    await installDocker();
    await using unhurried = new DockerCommandLineCodeExecutor();
    const start = performance.now();
    await unhurried.executeCodeBlocks(hello);
    // Enough for a program to begin, however busy the machine is.
    const timeoutMs = Math.ceil(300 + 3 * (performance.now() - start));
    await using executor = new DockerCommandLineCodeExecutor({ timeoutMs });
    const code = 'echo before; exec sleep 30.5';
    const result = await executor.executeCodeBlocks([{ language: 'sh', code }]);
    expect(result).toMatchObject({ exitCode: 124, output: 'before\n\nTimeout' });
    await expect.poll(() => isAlive('sleep 30.5'), POLL).toBe(false);
    const [run = [], removal = []] = (await calls()).slice(-2);
    expect(removal).toEqual(['rm', '--force', run[6]]);
  });

  test('[DOCK4] removes the container when it is closed', async () => {
    await installDocker();
    const executor = new DockerCommandLineCodeExecutor();
    const code = 'exec sleep 30.6';
    const running = executor.executeCodeBlocks([{ language: 'sh', code }]);
    await expect.poll(() => isAlive('sleep 30.6'), POLL).toBe(true);
    await executor.close();
    expect(await running).toMatchObject({ exitCode: 125, output: '\nCancelled' });
    await expect.poll(() => isAlive('sleep 30.6'), POLL).toBe(false);
    await expect(executor.executeCodeBlocks(hello)).rejects.toMatchObject({ code: 'CLOSED' });
  });

  test('[DOCK4] starts nothing when it was cancelled before', async () => {
    await installDocker();
    await using executor = new DockerCommandLineCodeExecutor();
    const result = await executor.executeCodeBlocks(hello, { signal: AbortSignal.abort() });
    expect(result).toEqual({ exitCode: 125, output: '\nCancelled' });
  });

  test.each([
    ['image', '--privileged', 'a name'],
    ['network', '', 'a name'],
    ['maxProcesses', 0, 'an integer from 1'],
  ])('[OPT1] refuses %s %j', (option, value, expected) => {
    expect(() => new DockerCommandLineCodeExecutor({ [option]: value })).toThrow(
      `option '${option}': expected ${expected}`,
    );
  });
});
