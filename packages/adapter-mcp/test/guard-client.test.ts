import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { call, GuardContext, toolCall } from '@teamfuse/adapter-kit';
import { Breaker, type Signal, type Trip, TrippedError } from '@teamfuse/core';
import { describe, expect, it } from 'vitest';
import { guardClient } from '../src/index.ts';
import { pair, pairV2 } from './support/servers.ts';

function heard(breaker: Breaker): Extract<Signal, { kind: 'tool-call' }>[] {
  const calls: Extract<Signal, { kind: 'tool-call' }>[] = [];
  breaker.on('signal', ({ signal }) => signal.kind === 'tool-call' && calls.push(signal));
  return calls;
}

describe.each([
  ['the client of version 1', pair],
  ['the client of version 2', pairV2],
] as const)('a guard on %s', (_name, connect) => {
  it('[MCP1] refuses a call before its effect, with a result that has the reason', async () => {
    const { client, done } = await connect();
    const guard = guardClient(client, new Breaker({ maxToolCalls: 1 }));
    const first = await client.callTool({ name: 'still' });
    const second = await client.callTool({ name: 'still' });
    expect(first).toMatchObject({ content: [{ type: 'text', text: 'noon' }] });
    expect(second).toMatchObject({
      isError: true,
      content: [{ type: 'text', text: `Refused: ${guard.trip?.reason}` }],
    });
    expect(done).toEqual(['still']);
  });

  it('[MCP2] stops a loop, and leaves its healthy twin alone', async () => {
    for (const [tool, begun] of [
      ['still', 2],
      ['counter', 8],
      ['camera', 4],
    ] as const) {
      const { client, done } = await connect();
      const guard = guardClient(client, new Breaker());
      const calls = tool === 'camera' ? 4 : 8;
      for (let at = 0; at < calls; at++) await client.callTool({ name: tool });
      expect([tool, done.length, guard.trip?.kind]).toEqual([
        tool,
        begun,
        tool === 'still' ? 'repetition' : undefined,
      ]);
    }
  });

  it('[MCP5] hands the signal on that ends a call when the run is stopped', async () => {
    const { client } = await connect();
    const breaker = new Breaker();
    const guard = guardClient(client, breaker);
    const run = guard.run(async () => {
      const call = client.callTool({ name: 'hanging' });
      breaker.stop('enough');
      return call;
    });
    expect(await run).toMatchObject({ isError: true, content: [{ text: 'Refused: enough' }] });
  });
});

describe('a guard on clients', () => {
  it('[MCP18] stops and charges each of twenty users of one client for himself alone', async () => {
    const { client } = await pair();
    const trips: string[] = [];
    const breaker = new Breaker({ maxToolCalls: 6 });
    const guard = guardClient(client, breaker, {
      onTrip: ({ conversation }) => trips.push(conversation),
    });
    const ask = (user: string): Promise<number> =>
      guard.run({ user }, async () => {
        let made = 0;
        for (let at = 0; at < 5; at++) {
          const zone = user.startsWith('loop') ? 'CET' : `zone ${at}`;
          const { isError } = await client.callTool({ name: 'still', arguments: { zone } });
          if (isError !== true) made++;
        }
        return guard.trip === undefined ? made : -made;
      });
    const users = Array.from({ length: 20 }, (_, at) => (at < 5 ? `loop${at}` : `user${at}`));
    const made = await Promise.all(users.map(ask));
    expect(made).toEqual(users.map((_, at) => (at < 5 ? -2 : 5)));
    expect(trips.map((id) => id.slice(0, 11)).sort()).toEqual(
      users.slice(0, 5).map((user) => `user:${user}/`),
    );
    expect(guard.trip).toBeUndefined();
    expect(users.map((user) => breaker.for({ user }).counters.toolCalls)).toEqual(
      made.map(Math.abs),
    );
  });

  it('[MCP3] reports results, errors that a tool reports, structured content and protocol errors', async () => {
    const { client } = await pair();
    const breaker = new Breaker();
    const calls = heard(breaker);
    guardClient(client, breaker);
    await client.callTool({ name: 'still', arguments: { zone: 'CET' } });
    await client.callTool({ name: 'broken' });
    await client.callTool({ name: 'table' });
    await expect(client.readResource({ uri: 'note://2' })).rejects.toThrow('note://2');
    expect(
      calls.map(({ agent, tool, args, result, error }) => [
        agent,
        tool,
        args,
        result ?? error?.message,
      ]),
    ).toEqual([
      ['host', 'still', { zone: 'CET' }, 'noon'],
      ['host', 'broken', {}, 'no such file'],
      ['host', 'table', {}, { rows: 3 }],
      ['host', 'resources/read', { uri: 'note://2' }, expect.stringContaining('note://2')],
    ]);
  });

  it('[MCP4] asks for resources and prompts, and throws where there is no result for a refusal', async () => {
    const { client, done } = await pair();
    const breaker = new Breaker({ maxToolCalls: 2 });
    const calls = heard(breaker);
    guardClient(client, breaker);
    await client.readResource({ uri: 'note://1' });
    await client.getPrompt({ name: 'greet' });
    expect(calls.map(({ tool, args }) => [tool, args])).toEqual([
      ['resources/read', { uri: 'note://1' }],
      ['prompts/get', { name: 'greet', arguments: {} }],
    ]);
    await expect(client.readResource({ uri: 'note://1' })).rejects.toThrow(TrippedError);
    await expect(client.getPrompt({ name: 'greet' })).rejects.toThrow(TrippedError);
    expect(done).toEqual(['note', 'greet']);
  });

  it("[MCP6] throws a TrippedError with onRefusal: 'throw'", async () => {
    const { client } = await pair();
    const breaker = new Breaker();
    guardClient(client, breaker, { onRefusal: 'throw' });
    breaker.stop('enough');
    await expect(client.callTool({ name: 'still' })).rejects.toThrow(TrippedError);
  });

  it('[MCP7] tells tools of one name apart by their servers', async () => {
    const pairs = await Promise.all(['files', 'clocks', 'clocks'].map((name) => pair(name)));
    const breaker = new Breaker();
    const calls = heard(breaker);
    guardClient(
      pairs.map(({ client }) => client),
      breaker,
    );
    for (const { client } of pairs) await client.callTool({ name: 'still' });
    await pairs[1]?.client.callTool({ name: 'camera' });
    expect(calls.map(({ tool }) => tool)).toEqual([
      'still',
      'clocks/still',
      'clocks 2/still',
      'camera',
    ]);
  });

  it('[MCP8] tells the host of each trip of its own, once, and refuses whatever it goes on to call', async () => {
    const { client, done } = await pair();
    const other = await pair();
    const breaker = new Breaker();
    const trips: Trip[] = [];
    const guard = guardClient(client, breaker, { onTrip: (trip) => trips.push(trip) });
    guardClient(other.client, breaker);
    for (let at = 0; at < 8; at++) await other.client.callTool({ name: 'still' });
    expect(trips).toEqual([]);
    for (let at = 0; at < 8; at++) await client.callTool({ name: 'still' });
    expect(await client.callTool({ name: 'counter' })).toMatchObject({ isError: true });
    expect(trips.map(({ reason }) => reason)).toEqual([guard.trip?.reason]);
    expect(done).toEqual(['still', 'still']);
  });

  it('[MCP9] keeps requests apart, side by side and one after another', async () => {
    const { client } = await pair();
    const told: Trip[] = [];
    const guard = guardClient(client, new Breaker(), { onTrip: (trip) => told.push(trip) });
    const request = (name: string) =>
      guard.run(async () => {
        let calls = 0;
        while (calls < 6 && guard.trip === undefined) {
          await client.callTool({ name });
          calls++;
        }
        return calls;
      });
    expect(await Promise.all([request('still'), request('counter')])).toEqual([3, 6]);
    expect(await request('still')).toBe(3);
    expect(await request('counter')).toBe(6);
    expect(told.map(({ kind }) => kind)).toEqual(['repetition', 'repetition']);
    expect(guard.trip).toBeUndefined();
  });

  it('[MCP10] hands progress on as it comes', async () => {
    const { client } = await pair();
    guardClient(client, new Breaker());
    const seen: number[] = [];
    const onprogress = ({ progress }: { progress: number }) => void seen.push(progress);
    await client.callTool({ name: 'still' }, undefined, { onprogress });
    expect(seen).toEqual([1]);
  });

  it('[MCP11] neither reports nor refuses what the caller cancels', async () => {
    const { client } = await pair();
    const breaker = new Breaker();
    const calls = heard(breaker);
    const guard = guardClient(client, breaker);
    const call = client.callTool({ name: 'hanging' }, undefined, { signal: AbortSignal.abort() });
    await expect(call).rejects.toThrow();
    expect([calls, guard.trip]).toEqual([[], undefined]);
  });

  it('[MCP12] passes its self-test, and leaves no trace once it is removed', async () => {
    const { client, done } = await pair();
    const before = Reflect.ownKeys(client);
    const breaker = new Breaker();
    const guard = guardClient(client, breaker);
    expect(await guard.selfTest()).toMatchObject({ isPassed: true, unguarded: [] });
    expect(done).toEqual([]);
    expect(() => guardClient(client, breaker)).toThrow('already guarded');
    guard.uninstall();
    expect(Reflect.ownKeys(client)).toEqual(before);
  });

  it('[MCP13] refuses what is no client, and options that are wrong', async () => {
    const { client } = await pair();
    const install = (given: object) => () => guardClient(client, new Breaker(), given);
    expect(() => guardClient({} as never, new Breaker())).toThrow('an MCP client');
    expect(install({ onRefusal: 'shout' })).toThrow('onRefusal');
    expect(install({ onTrip: 1 })).toThrow('onTrip');
    expect(install({ agent: 1 })).toThrow('agent');
    expect(install({ nosuch: 1 })).toThrow('nosuch');
  });

  it('[MCP14] belongs to the run of a guarded agent, and is not asked for twice by a tool of its name', async () => {
    const { client } = await pair();
    const breaker = new Breaker();
    const calls = heard(breaker);
    guardClient(client, breaker);
    const context = new GuardContext(breaker);
    const use = (tool: string) =>
      call(context, toolCall({ agent: 'bot', tool, args: {} }), () =>
        client.callTool({ name: 'still' }),
      );
    const run = context.openRun({ isApart: true });
    const scope = { run, depth: 0, path: ['bot'], agent: 'bot' };
    await context.within(scope, () => use('still'));
    await context.within(scope, () => use('report'));
    context.closeRun(run);
    const told = calls.map(({ agent, tool }) => `${agent} ${tool}`);
    expect(told).toEqual(['bot still', 'bot still', 'bot report']);
  });

  it('[MCP15] stops a loop against a server in a process of its own', async () => {
    const client = new Client({ name: 'host', version: '1.0.0' });
    const server = fileURLToPath(new URL('support/stdio-server.js', import.meta.url));
    await client.connect(new StdioClientTransport({ command: process.execPath, args: [server] }));
    try {
      const guard = guardClient(client, new Breaker());
      const answers: unknown[] = [];
      for (let at = 0; at < 5; at++) {
        const { isError = false } = await client.callTool({ name: 'still' });
        answers.push(isError);
      }
      expect(answers).toEqual([false, false, true, true, true]);
      expect(guard.trip?.kind).toBe('repetition');
    } finally {
      await client.close();
    }
  });

  it('[MCP16] keeps 200 runs side by side apart', async () => {
    const { client } = await pair();
    const breaker = new Breaker();
    const guard = guardClient(client, breaker, { judge: false });
    const refused = await Promise.all(
      Array.from({ length: 200 }, (_, run) =>
        guard.run(async () => {
          const name = run % 2 === 0 ? 'still' : 'counter';
          let count = 0;
          for (let at = 0; at < 4; at++) {
            const { isError } = await client.callTool({ name, arguments: { run } });
            if (isError) count++;
          }
          return count;
        }),
      ),
    );
    expect(refused).toEqual(Array.from({ length: 200 }, (_, run) => (run % 2 === 0 ? 2 : 0)));
  });
});
