import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type LegacyCodeConfig, UserProxyAgent } from '../../src/index.ts';
import { TestIO } from '../cast.ts';

let bin: string;

beforeEach(async () => {
  bin = await mkdtemp(join(tmpdir(), 'teamfuse-docker-'));
});

afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(bin, { recursive: true });
});

function runner(codeExecutionConfig: LegacyCodeConfig): UserProxyAgent {
  const io = new TestIO();
  return new UserProxyAgent({ name: 'runner', humanInputMode: 'NEVER', io, codeExecutionConfig });
}

const messages = [{ role: 'user', content: '```sh\ntouch ran; echo on the host\n```' }] as const;

describe('useDocker', () => {
  test.each([true, 'node:22'])(
    '[CODE4] %s runs nothing where there is no Docker',
    async (useDocker) => {
      vi.stubEnv('PATH', bin);
      const reply = runner({ useDocker, workDir: bin }).generateReply({ messages: [...messages] });
      await expect(reply).rejects.toMatchObject({ code: 'DOCKER_UNAVAILABLE' });
      await expect(readFile(join(bin, 'ran'))).rejects.toThrow('ENOENT');
    },
  );

  test('[CODE4] runs code through the Docker client', async () => {
    const client = join(bin, 'docker');
    await writeFile(client, `#!/bin/sh\necho "$@" >>${bin}/calls\n`);
    await chmod(client, 0o755);
    vi.stubEnv('PATH', `${bin}:/usr/bin:/bin`);
    const reply = runner({ useDocker: 'mine:1', workDir: join(bin, 'work') });
    expect(await reply.generateReply({ messages: [...messages] })).toContain('exitcode: 0');
    expect(await readFile(join(bin, 'calls'), 'utf8')).toMatch(
      /^run .*--network none .* mine:1 sh /m,
    );
  });

  test.each([
    [{ useDocker: true, executor: {} }, "not valid when 'executor' is set"],
    [{ useDocker: 'x', runCode: () => ({}) }, "not valid when 'runCode' is set"],
    [{ use_docker: true }, "option 'use_docker': expected nothing: it is called 'useDocker' here"],
    [
      { useDocker: 1 },
      "option 'useDocker': expected true, false or the name of an image, received 1",
    ],
  ])('[CODE4] %j is refused', (config, message) => {
    expect(() => runner(config as LegacyCodeConfig)).toThrow(message);
  });
});
