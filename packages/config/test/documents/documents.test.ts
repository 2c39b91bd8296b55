import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { policyJsonSchema } from './json-schema.ts';
import { optionPage } from './option-page.ts';

/** `npm run docs` writes what these tests compare. */
function file(path: string): string {
  return fileURLToPath(new URL(`../../../../${path}`, import.meta.url));
}

describe('the documents of the options', () => {
  it('[POL15] publish a JSON Schema that is up to date', async () => {
    const text = `${JSON.stringify(policyJsonSchema(), null, 2)}\n`;
    await expect(text).toMatchFileSnapshot(file('packages/config/teamfuse.schema.json'));
  });

  it('[POL16] list every option with its meaning, value and default', async () => {
    await expect(optionPage()).toMatchFileSnapshot(file('docs/options.md'));
  });
});
