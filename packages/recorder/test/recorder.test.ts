import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Breaker, type Signal } from '@teamfuse/core';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { leakedIn, SECRET_FORMS } from '../../core/test/support/secret-forms.ts';
import { Recorder, type RecorderOptions, recordTo } from '../src/index.ts';

let folder = '';
let files = 0;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'teamfuse-recorder-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const newFile = (): string => join(folder, `${files++}`, 'run.jsonl');
const said = (at: number, text: string): Signal => ({ kind: 'message', at, agent: 'writer', text });
const linesOf = (file: string): string[] => readFileSync(file, 'utf8').trimEnd().split('\n');
const read = (file: string): Record<string, unknown>[] =>
  linesOf(file).map((line) => JSON.parse(line));

describe('recordTo', () => {
  it('[REC1] writes a header, then each signal with its conversation, and runs and trips where they happened', () => {
    const file = newFile();
    const breaker = new Breaker({ maxMessages: 2 });
    recordTo(breaker, file, { run: 'may' });
    breaker.conversation().beginRun();
    breaker.observe(said(0, 'A first draft.'));
    breaker.conversation('chat 1').beginRun(1);
    breaker.conversation('chat 1').observe(said(1, 'Hello.'));
    breaker.observe(said(2, 'A second draft.'));
    expect(read(file)).toMatchObject([
      { record: 'header', version: 1, run: 'may', part: 0 },
      { record: 'run', conversation: 'may' },
      { ...said(0, 'A first draft.'), conversation: 'may' },
      { record: 'run', conversation: 'may/chat 1', at: 1 },
      { ...said(1, 'Hello.'), conversation: 'may/chat 1' },
      { ...said(2, 'A second draft.'), conversation: 'may' },
      { record: 'trip', conversation: 'may', trip: { kind: 'limit', index: 1 } },
    ]);
  });

  it('[REC1] writes a run before what is refused in it, once', () => {
    const file = newFile();
    const breaker = new Breaker();
    recordTo(breaker, file, { run: 'may' });
    const chat = breaker.conversation();
    chat.stop('enough');
    chat.beginRun(1);
    chat.admit({ kind: 'turn', agent: 'writer', at: 2 });
    chat.reset();
    chat.observe(said(3, 'A first draft.'));
    expect(read(file).map(({ record, kind }) => record ?? kind)).toEqual([
      'header',
      'trip',
      'run',
      'refusal',
      'message',
    ]);
  });

  it('[REC4] begins a new line after one that was torn', () => {
    const file = newFile();
    const breaker = new Breaker();
    recordTo(breaker, file, { run: 'first' });
    breaker.observe(said(0, 'One.'));
    appendFileSync(file, '{"kind":"mess');
    const next = new Breaker();
    recordTo(next, file, { run: 'next' });
    next.observe(said(0, 'Two.'));
    const lines = linesOf(file);
    expect(lines[2]).toBe('{"kind":"mess');
    expect(lines.slice(3).map((line) => JSON.parse(line))).toMatchObject([
      { record: 'header', run: 'next' },
      { text: 'Two.' },
    ]);
  });

  it('[REC5] moves full files aside, keeps so many of them, and loses no other line', () => {
    const file = newFile();
    const breaker = new Breaker({ repetition: false, speakerCycle: false });
    recordTo(breaker, file, { maxBytes: 1_024, keep: 2 });
    for (let i = 0; i < 40; i++) breaker.observe(said(i, `Line ${i} of the report.`));
    const parts = ['run.2.jsonl', 'run.1.jsonl', 'run.jsonl'].map((name) => join(file, '..', name));
    expect(readdirSync(join(file, '..')).sort()).toEqual([
      'run.1.jsonl',
      'run.2.jsonl',
      'run.jsonl',
    ]);
    for (const part of parts) expect(statSync(part).size).toBeLessThanOrEqual(1_024);
    const lines = parts.flatMap(read);
    const headers = lines.filter(({ record }) => record === 'header').map(({ part }) => part);
    expect(headers).toEqual([0, 1, 2].map((i) => i + (headers[0] as number)));
    expect(headers[0]).toBeGreaterThan(0);
    const times = lines.flatMap(({ kind, at }) => (kind === 'message' ? [at as number] : []));
    expect(times).toEqual(times.map((_, i) => 40 - times.length + i));
  });

  it('[REC5] begins a new file where a run before has left too little room', () => {
    const file = newFile();
    const breaker = new Breaker();
    recordTo(breaker, file, { maxBytes: 1_024, run: 'first' });
    breaker.observe(said(0, 'One.'));
    const [header = '', line = ''] = linesOf(file);
    const room = 1_000 - Buffer.byteLength(`${header}\n${line}\n${line.replace('One.', '')}\n`);
    breaker.observe(said(1, 'x'.repeat(room)));
    const next = new Breaker();
    recordTo(next, file, { maxBytes: 1_024, run: 'next' });
    next.observe(said(0, 'Two.'));
    expect(statSync(join(file, '..', 'run.1.jsonl')).size).toBe(1_000);
    expect(read(file)).toMatchObject([
      { record: 'header', run: 'next', part: 0 },
      { text: 'Two.' },
    ]);
  });

  it('[REC6] takes secrets out of texts, fields and trips, and more by a function', () => {
    const key = `sk-proj-${'a1B2c3D4e5F6g7H8'}`;
    const call = (at: number): Signal => ({
      kind: 'tool-call',
      at,
      agent: 'clerk',
      tool: 'login',
      args: { password: 'hunter', note: `${key} for Ada` },
      error: { message: `refused: ${key}` },
    });
    const recordedWith = (options: RecorderOptions): string => {
      const file = newFile();
      const breaker = new Breaker({ maxToolCalls: 2, redact: false });
      recordTo(breaker, file, options);
      for (const at of [0, 1]) breaker.observe(call(at));
      expect(read(file).at(-1)).toMatchObject({ record: 'trip' });
      return readFileSync(file, 'utf8');
    };
    expect(recordedWith({})).not.toMatch(/a1B2c3D4|hunter/);
    expect(recordedWith({})).toContain('for Ada');
    expect(recordedWith({ redact: (text) => text.replaceAll('Ada', '…') })).not.toMatch(
      /a1B2c3D4|Ada/,
    );
    expect(recordedWith({ redact: false })).toContain(key);
  });

  it.each([
    ['a recorder', (redact: (text: string) => string): RecorderOptions => ({ redact }), {}],
    ['a breaker', (): RecorderOptions => ({}), { redact: (text: string) => text.toUpperCase() }],
  ])(
    '[REC6] leaves what a replay goes by to %s whose function changes every text',
    (_, options, own) => {
      const file = newFile();
      const breaker = new Breaker({ ...own, maxToolCalls: 2 });
      recordTo(
        breaker,
        file,
        options((text) => text.toUpperCase()),
      );
      const call = {
        kind: 'tool-call',
        agent: 'clerk',
        tool: 'find',
        args: { name: 'ada' },
      } as const;
      for (const at of [0, 1]) breaker.observe({ ...call, at, error: { message: 'none' } });
      expect(read(file)[1]).toMatchObject({
        kind: 'tool-call',
        agent: 'CLERK',
        args: { NAME: 'ADA' },
        error: { message: 'NONE' },
      });
      expect(read(file).at(-1)).toMatchObject({
        record: 'trip',
        trip: { kind: 'limit', basis: 'declared', agents: ['CLERK'], evidence: { limit: 2 } },
      });
    },
  );

  it('[REC7] counts what is redacted to no text, and reports it', () => {
    const file = newFile();
    const breaker = new Breaker();
    const told: string[] = [];
    breaker.on('error', ({ error }) => void told.push(String(error)));
    const redact = (() => 5) as unknown as (text: string) => string;
    const recorder = recordTo(breaker, file, { redact });
    breaker.observe(said(0, 'Hello.'));
    expect(recorder.lost).toBe(1);
    expect(told).toEqual([expect.stringContaining('redact: expected text, received 5')]);
  });

  it('[REC6] takes out what the breaker takes out', () => {
    const file = newFile();
    const redact = (text: string): string => text.replaceAll('Kestrel', '[project]');
    const breaker = new Breaker({ redact });
    recordTo(breaker, file, { redact: (text) => text.replaceAll('[project]', '[all]') });
    breaker.observe(said(0, 'Kestrel flies.'));
    expect(read(file)[1]).toMatchObject({ text: '[all] flies.' });
  });

  it('[REC14] holds no form of a secret', () => {
    const file = newFile();
    const breaker = new Breaker({ reaction: 'observe' });
    recordTo(breaker, file);
    for (const [i, [name, text]] of SECRET_FORMS.entries()) {
      const args = { note: text, deep: [{ text }] };
      const call = { kind: 'tool-call', agent: 'clerk', tool: 'connect', args } as const;
      breaker
        .conversation(name)
        .observe({ ...call, at: i, error: { message: `refused: ${text}` } });
      breaker.conversation(name).observe(said(i, `I used ${text}`));
    }
    expect(read(file).length).toBeGreaterThan(2 * SECRET_FORMS.length);
    expect(leakedIn(readFileSync(file, 'utf8'))).toEqual([]);
  });

  it.each([{}, { redact: false }] as const)(
    '[REC15] holds nothing that was said where excerpts are off, but trips and what calls cost: %j',
    (options) => {
      const file = newFile();
      const breaker = new Breaker({ excerpts: false, maxMessages: 2 });
      recordTo(breaker, file, { ...options, run: 'may' });
      const usage = { kind: 'usage', agent: 'writer', model: 'm', inputTokens: 9 } as const;
      const error = { message: 'Kestrel is down' };
      breaker.observe({ ...usage, at: 0, outputTokens: 1, costUsd: 0.5, error });
      for (const at of [1, 2]) breaker.observe(said(at, `Kestrel sk-proj-0a1b2c3d4e5f6g7h${at}`));
      expect(read(file).slice(1)).toMatchObject([
        { kind: 'usage', model: 'm', inputTokens: 9, costUsd: 0.5, conversation: 'may' },
        { record: 'withheld', kind: 'message', agent: 'writer', at: 1, conversation: 'may' },
        { record: 'withheld', kind: 'message', at: 2 },
        { record: 'trip', trip: { kind: 'limit' } },
      ]);
      expect(readFileSync(file, 'utf8')).not.toMatch(/Kestrel|sk-proj/);
    },
  );

  it.skipIf(process.platform === 'win32')(
    '[REC16] is taken from all others where they may read it, and not written through a link (needs a system other than Windows)',
    () => {
      const file = newFile();
      mkdirSync(join(file, '..'));
      writeFileSync(file, '');
      chmodSync(file, 0o666);
      const breaker = new Breaker();
      recordTo(breaker, file);
      breaker.observe(said(0, 'One.'));
      expect([statSync(file).mode & 0o777, read(file).length]).toEqual([0o600, 2]);
      const link = join(file, '..', 'link.jsonl');
      symlinkSync(file, link);
      const linked = new Breaker();
      const errors: unknown[] = [];
      linked.on('error', ({ error }) => errors.push(error));
      const recorder = recordTo(linked, link);
      linked.observe(said(0, 'Two.'));
      expect([recorder.lost, read(file).length]).toEqual([1, 2]);
      expect(errors).toMatchObject([{ message: expect.stringContaining('a symbolic link') }]);
    },
  );

  it('[REC7] tells once what it cannot write, counts it, and goes on when writing works again', () => {
    const file = newFile();
    const breaker = new Breaker({ maxMessages: 100 });
    const errors: unknown[] = [];
    breaker.on('error', (event) => errors.push(event));
    const recorder = recordTo(breaker, file, { maxBytes: 1_024 });
    breaker.observe(said(0, 'One.'));
    breaker.observe(said(1, 'long '.repeat(300)));
    breaker.observe(said(2, 'long '.repeat(300)));
    breaker.observe(said(3, 'Four.'));
    expect(errors).toMatchObject([
      {
        during: 'recording',
        error: { code: 'RECORDING', file, message: expect.stringContaining('at most 1024') },
      },
    ]);
    expect(recorder.lost).toBe(2);
    expect(read(file).slice(2)).toMatchObject([{ record: 'lost', count: 2 }, { text: 'Four.' }]);
  });

  it.skipIf(!existsSync('/dev/full'))(
    '[REC7] [REC8] does not write to what is no file (needs /dev/full)',
    () => {
      const breaker = new Breaker();
      const errors: unknown[] = [];
      breaker.on('error', ({ error }) => errors.push(error));
      recordTo(breaker, '/dev/full');
      expect(breaker.observe(said(0, 'One.'))).toBeUndefined();
      expect(errors).toMatchObject([{ message: expect.stringContaining('a regular file') }]);
    },
  );

  it.skipIf(process.platform === 'win32')(
    '[REC8] does not wait for who reads a pipe, and lets nobody else read a new file (needs a system other than Windows)',
    () => {
      const file = newFile();
      const breaker = new Breaker();
      recordTo(breaker, file);
      breaker.observe(said(0, 'One.'));
      expect(statSync(file).mode & 0o077).toBe(0);
      const pipe = join(file, '..', 'pipe');
      execFileSync('mkfifo', [pipe]);
      const piped = new Breaker();
      const errors: unknown[] = [];
      piped.on('error', ({ error }) => errors.push(error));
      recordTo(piped, pipe);
      piped.observe(said(0, 'One.'));
      expect(errors).toHaveLength(1);
    },
  );

  it('[REC9] records nothing once it is closed, or its block is left', async () => {
    const file = newFile();
    const breaker = new Breaker();
    const recorder = recordTo(breaker, file);
    breaker.observe(said(0, 'One.'));
    await recorder[Symbol.asyncDispose]();
    breaker.observe(said(1, 'Two.'));
    await recorder.close();
    expect(read(file)).toHaveLength(2);
  });

  it('[REC10] keeps breakers and runs in one file apart', async () => {
    const file = newFile();
    for (const run of ['monday', 'tuesday']) {
      const recorder = new Recorder(file, { run });
      for (const breaker of [new Breaker(), new Breaker()]) {
        recorder.add(breaker);
        breaker.observe(said(0, 'Hello.'));
      }
      await recorder.close();
    }
    const names = read(file).flatMap(({ conversation }) => conversation ?? []);
    expect(names).toEqual(['monday', 'monday#2', 'tuesday', 'tuesday#2']);
  });

  it('[REC11] refuses options that are out of range or do not exist, naming them', () => {
    const breaker = new Breaker();
    const wrong: [string, object][] = [
      ['maxBytes', { maxBytes: 10 }],
      ['keep', { keep: -1 }],
      ['redact', { redact: 'yes' }],
      ['run', { run: '' }],
      ['maxByte', { maxByte: 2_000 }],
    ];
    for (const [option, options] of wrong) {
      expect(() => recordTo(breaker, 'x', options as RecorderOptions)).toThrow(option);
    }
    expect(() => recordTo(breaker, '')).toThrow("option 'file'");
  });

  it('[REC1] writes lines that JSON can be read from, whatever is said', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: 'binary' }), { maxLength: 8 }),
        fc.jsonValue(),
        (texts, args) => {
          const file = newFile();
          const breaker = new Breaker({ repetition: false, speakerCycle: false });
          recordTo(breaker, file);
          const json = JSON.parse(JSON.stringify(args));
          breaker.observe({
            kind: 'tool-call',
            at: 0,
            agent: 'a',
            tool: 't',
            args: json,
            result: 1,
          });
          for (const [i, text] of texts.entries()) breaker.observe(said(i, text));
          expect(read(file)).toHaveLength(texts.length + 2);
        },
      ),
      { numRuns: 30 },
    );
  });
});
