import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'vite';
import { expect, test } from 'vitest';

test('[TOK8] importing the package loads no encodings', async () => {
  const outDir = mkdtempSync(join(tmpdir(), 'teamfuse-test-'));
  try {
    await build({
      configFile: false,
      logLevel: 'silent',

      build: {
        ssr: fileURLToPath(new URL('../src/index.ts', import.meta.url)),
        outDir,
        rolldownOptions: { external: /^[a-z@]/, output: { entryFileNames: 'index.mjs' } },
      },
    });
    // The libraries cannot be found from here: loading one would fail.
    const index = pathToFileURL(join(outDir, 'index.mjs')).href;
    const script = `const { EstimatingCounter, BytePairCounter } = await import('${index}');
      console.log(new EstimatingCounter().count('loaded'));
      await BytePairCounter.load('o200k_base').catch((error) => console.log(error.code));`;
    const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
      cwd: outDir,
      encoding: 'utf8',
    });
    expect(stderr).toBe('');
    expect(stdout).toBe('2\nERR_MODULE_NOT_FOUND\n');
  } finally {
    rmSync(outDir, { recursive: true });
  }
});
