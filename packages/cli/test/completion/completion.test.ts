import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { wordsOf } from '../../src/completion/words.ts';
import { programOf } from '../../src/program.ts';
import { teamfuse } from '../support/bin.ts';

const SHELLS = ['bash', 'zsh', 'fish'] as const;
const commands = wordsOf(programOf(() => {}));
const names = commands.map(({ word }) => word);

const isThere = (shell: string): boolean => spawnSync(shell, ['-c', 'true']).status === 0;

let folder = '';
const scripts = new Map<string, string>();
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'teamfuse-completion-'));
  for (const shell of SHELLS) {
    const { out } = await teamfuse(['completion', shell]);
    scripts.set(shell, out);
    writeFileSync(join(folder, shell), out);
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What a shell prints that runs this after loading its completion. */
function inShell(shell: string, script: string, before = ''): string[] {
  const whole = `${before}source ${join(folder, shell)}\n${script}`;
  const { stdout, stderr } = spawnSync(shell, ['-c', whole], {
    encoding: 'utf8',
    cwd: folder,
    // Nothing of the user's own is loaded.
    env: { ...process.env, HOME: folder, ZDOTDIR: folder, XDG_CONFIG_HOME: folder },
  });
  expect(stderr).toBe('');
  return stdout.split('\n').filter((line) => line !== '');
}

describe('teamfuse completion', () => {
  it('[TAB1] knows every command and option of the program', () => {
    expect(names).toEqual(
      expect.arrayContaining(['replay', 'record', 'watch', 'doctor', 'completion']),
    );
    for (const shell of SHELLS) {
      const script = scripts.get(shell) ?? '';
      for (const { word, options } of commands) {
        expect(script).toContain(word);
        for (const option of options) expect(script).toContain(option.word.replace(/^--/, ''));
      }
    }
  });

  it('[TAB2] ends with 2 for another shell', async () => {
    const { code, err } = await teamfuse(['completion', 'tcsh']);
    expect(code).toBe(2);
    expect(err).toContain('bash, zsh, fish');
  });

  it.skipIf(!isThere('bash'))('[TAB3] completes in bash (needs bash)', () => {
    const complete = (...words: readonly string[]): string[] =>
      inShell(
        'bash',
        `COMP_WORDS=(teamfuse ${words.map((word) => `'${word}'`).join(' ')})
COMP_CWORD=${words.length}
_teamfuse
printf '%s\\n' "\${COMPREPLY[@]}"`,
      );
    expect(complete('re')).toEqual(['replay', 'report', 'record']);
    expect(complete('')).toEqual([...names, '--help']);
    expect(complete('replay', '--fail')).toEqual(['--fail-on']);
    expect(complete('completion', '')).toEqual([...SHELLS]);
    expect(complete('replay', '--map', '')).toEqual([]);
    expect(complete('replay', 'x$(touch broken)')).toEqual([]);
    expect(complete('doctor', 'x', '--j')).toEqual(['--json']);
  });

  it.skipIf(!isThere('zsh'))('[TAB3] completes in zsh (needs zsh)', () => {
    const before = `autoload -U compinit; compinit -D -u -d ${join(folder, 'dump')}\n`;
    const script = `print -r -- $_comps[teamfuse]
_describe() { print -rl -- \${(P)2} }
_arguments() { print -rl -- "$@" }
words=(teamfuse re); CURRENT=2; _teamfuse
words=(teamfuse completion ''); CURRENT=3; _teamfuse`;
    const [loaded, ...shown] = inShell('zsh', script, before);
    expect(loaded).toBe('_teamfuse');
    expect(shown.slice(0, names.length).map((line) => line.split(':')[0])).toEqual(names);
    expect(shown).toContain('*:argument:(bash zsh fish)');
  });

  it.skipIf(!isThere('fish'))('[TAB3] completes in fish (needs fish)', () => {
    const complete = (line: string): string[] =>
      inShell('fish', `complete -C '${line}'`).map((shown) => shown.split('\t')[0] ?? '');
    expect(complete('teamfuse re').sort()).toEqual(['record', 'replay', 'report']);
    expect(complete('teamfuse replay --fail')).toEqual(['--fail-on']);
    expect(complete('teamfuse completion ').sort()).toEqual(['bash', 'fish', 'zsh']);
  });
});
