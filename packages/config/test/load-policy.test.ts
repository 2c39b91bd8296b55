import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findPolicy, loadPolicy } from '../src/index.ts';

let root = '';
let deep = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'teamfuse-config-'));
  deep = join(root, 'a', 'b');
  mkdirSync(deep, { recursive: true });
});
afterEach(() => rmSync(root, { recursive: true }));

describe('the file of a policy', () => {
  it('[POL12] is found in a folder above', () => {
    writeFileSync(join(root, 'teamfuse.toml'), 'maxTurns = 7');
    expect(loadPolicy({ cwd: deep })).toMatchObject({
      file: join(root, 'teamfuse.toml'),
      options: { maxTurns: 7 },
    });
  });

  it('[POL12] is the nearest one, although it is empty', () => {
    writeFileSync(join(root, 'teamfuse.toml'), 'maxTurns = 7');
    writeFileSync(join(root, 'a', 'teamfuse.toml'), '');
    expect(loadPolicy({ cwd: deep }).options).toEqual({});
  });

  it('[POL12] may be named', () => {
    const path = join(root, 'strict.toml');
    writeFileSync(path, 'maxTurns = 2');
    expect(loadPolicy({ path, cwd: deep }).options).toEqual({ maxTurns: 2 });
  });

  it('[POL12] has a name that is not empty', () => {
    expect(() => loadPolicy({ path: '' })).toThrow(
      'option \'path\': expected the path of a file, received ""',
    );
  });

  it('[POL12] that is missing is an error that names the folder', () => {
    expect(findPolicy(deep)).toBeUndefined();
    expect(() => loadPolicy({ cwd: deep })).toThrow(
      `${deep}: expected a file teamfuse.toml here or in a folder above, received none`,
    );
  });

  it.each([
    ['a folder', (path: string) => mkdirSync(path), 'a folder'],
    ['a pipe', (path: string) => execFileSync('mkfifo', [path]), 'a pipe'],
    ['an endless device', (path: string) => symlinkSync('/dev/zero', path), 'a device'],
    ['a link to itself', (path: string) => symlinkSync(path, path), 'a link to itself'],
  ])('[POL12] that is %s is an error that says so', (_, make, received) => {
    const path = join(root, 'teamfuse.toml');
    make(path);
    const error = `${path}: expected a readable file, received ${received}`;
    expect(() => loadPolicy({ path })).toThrow(error);
    if (existsSync(path)) expect(() => loadPolicy({ cwd: deep })).toThrow(error);
  });

  it('[POL12] that is far too large is an error, and is not read', () => {
    const path = join(root, 'teamfuse.toml');
    writeFileSync(path, '');
    truncateSync(path, 3 * 2 ** 30);
    expect(() => loadPolicy({ cwd: deep })).toThrow(
      `${path}: expected at most 100000 characters, received 3221225472 bytes`,
    );
  });

  it('[POL12] may have a hundred thousand characters of any length', () => {
    const path = join(root, 'teamfuse.toml');
    writeFileSync(path, `# ${'漢'.repeat(99_983)}\nmaxTurns = 7`);
    expect(loadPolicy({ cwd: deep }).options).toEqual({ maxTurns: 7 });
  });

  it('[POL12] that was named and cannot be read is an error with its cause', () => {
    const path = join(root, 'missing.toml');
    expect(() => loadPolicy({ path })).toThrow(`${path}: expected a readable file, received none`);
  });
});
