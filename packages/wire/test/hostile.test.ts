import { Breaker } from '@teamfuse/core';
import { describe, expect, test } from 'vitest';
import { guardFetch } from '../src/index.ts';
import { PATHS, testTraffic } from './support/hostile.ts';

testTraffic(30);

describe.each(PATHS)('traffic at %s', (path) => {
  test('[WIRE40] that is nested too deeply to be read is refused', async () => {
    const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
    const body = `{"messages":[{"role":"user","content":${deep}}],"input":[{"role":"user","content":${deep}}],"contents":[{"parts":${deep}}]}`;
    const got: string[] = [];
    const fetch = guardFetch(new Breaker(), {
      onError: () => {},
      fetch: async (input, init) => {
        got.push(await new Request(input, init).text());
        return Response.json({});
      },
    });
    expect((await fetch(`https://api.example${path}`, { method: 'POST', body })).status).toBe(400);
    expect(got).toEqual([]);
  });
});
