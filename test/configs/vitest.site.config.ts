import { defineConfig } from 'vitest/config';

/** The built site, in a browser: `npm run site` builds it first. */
export default defineConfig({
  test: { testTimeout: 300_000, hookTimeout: 300_000, include: ['docs/site/test/*.test.ts'] },
});
