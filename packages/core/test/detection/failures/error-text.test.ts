import { describe, expect, it } from 'vitest';
import { readError } from '../../../src/detection/failures/error-text.ts';

/** Fifty lines, of which the middle, the 24th and the last but 23 are given. */
function many(middle: string, first = 'x', last = 'y'): string {
  const rest = 'abcdefghijklmnopqrstuvw'.split('').map((letter) => `Zeile ${letter}`);
  return [...rest, first, middle, middle, last, ...rest].join('\n');
}

/** More text than is read, in lines of which few are read. */
function long(middle: string): string {
  const part = `${'weiter '.repeat(50)}\n`.repeat(20);
  return part + middle + part;
}

describe('the error in a text', () => {
  it.each([
    ['Traceback (most recent call last):\n  File "a.py", line 3\nKeyError: \'vat\'', 'KeyError'],
    [
      'error[E0425]: cannot find value `x`\n --> src/main.rs:2:5\ntry `rustc --explain E0425`',
      'E0425',
    ],
    ['src/a.ts(7,20): error TS2307: Cannot find module', 'TS2307'],
    [
      'Exception in thread "main" java.lang.NullPointerException: x is null',
      'NullPointerException',
    ],
    ['npm error code ENOENT', 'ENOENT'],
    ["tally.rb:3:in `sum': undefined method `x' for nil (NoMethodError)", 'NoMethodError'],
    ['ENOENT came up\nEnde', 'ENOENT'],
    ['ENOENT came up\nEACCES came up\nEnde', 'EACCES'],
    ['KeyError: no vat\nEACCES came up', 'KeyError'],
    ['KeyError: no vat\nValueError: no sum', 'ValueError'],
  ])('[ERR1] is called by its name: %j', (text, category) => {
    expect(readError(text)).toMatchObject({ category, isNamed: true });
  });

  it.each([
    ['E17', 'E17'],
    ['error', 'KeyError'],
    ['Exception', 'KeyError'],
  ])('[ERR1] is called by its code, unless that says no more than %s', (code, category) => {
    expect(readError('KeyError: no vat', code)).toMatchObject({ category, isNamed: true });
  });

  it.each([
    [
      'go',
      '# shop\nsum.go:7:12: undefined: vatRate\nsum.go:9:2: total unused',
      '/#: undefined: vatrate',
    ],
    [
      'rust',
      "thread 'main' panicked at src/main.rs:4:5:\nindex out of range\nnote: run again",
      'index out of range',
    ],
    [
      'node',
      'building\nError: no items\n    at file:///app/a.mjs:3:9\n\nNode.js v20.1.0',
      'error: no items',
    ],
    ['shell', '开始\ndeploy.sh: 行 3: 部署: 未找到命令', '/#: 部署: 未找到命令'],
    ['any other', 'Start\nSchlüssel fehlt', 'schlüssel fehlt'],
    [
      'a log with the time of each line',
      '2025-03-01T10:02:11Z los\n2025-03-01T10:02:19Z kaputt',
      '# kaputt',
    ],
    ['a log with times', '10:02:11: los\n  10:02:19: kaputt\nEnde', 'ende'],
    ['an indented line with a time', 'Start\n  10:02:19 kaputt', '# kaputt'],
    ['a rule below', 'Start\nSchlüssel fehlt\n-------', 'schlüssel fehlt'],
    ['a stack', 'kaputt\n    at file:///app/a.mjs:3:9\nEnde', 'kaputt'],
    ['two stacks', 'eins\n    at a.mjs:3:9\nzwei\n    at b.mjs:3:9\nEnde', 'eins'],
    ['a stack at the start', '    at file:///app/a.mjs:3:9\nEnde', 'ende'],
    ['a stack below its title', 'Aufrufe:\n    at file:///app/a.mjs:3:9\nEnde', 'ende'],
    ['a title', 'Fehler:\nkaputt\nEnde', 'ende'],
    ['a long line', 'kaputt '.repeat(20), 'kaputt '.repeat(12).slice(0, 80)],
    ['nothing', ' \n', ''],
    [
      'a runtime that signs its reports',
      "throw err;\n\nError: Cannot find module 'csv'\nRequire stack:\n\nNode.js v20.20.2",
      'error: cannot find module ?',
    ],
  ])(
    '[ERR2] is shown by what is said about a place, else by the last line: %s',
    (_, text, shown) => {
      expect(readError(text)).toMatchObject({ category: shown, isNamed: false });
    },
  );

  it.each([
    ['places', 'sum.go:7:12: undefined: x', 'pkg/sum.go:9:1: undefined: x'],
    ['the place of a shell', 'a.sh: Zeile 3: los: fehlt', 'a.sh: Zeile 12: los: fehlt'],
    ['ids', 'Auftrag 4fc9e8f1 abgelehnt', 'Auftrag 1178ba60 abgelehnt'],
    ['times', '2025-03-01T10:02:11Z rechazado en 12 ms', '2025-03-01T11:40:09Z rechazado en 9 ms'],
    ['frames', 'boom\n    at f (a.mjs:3:9)\n    at g (a.mjs:9:1)', 'boom\n    at h (b.mjs:1:4)'],
    [
      'quoted source',
      'schlecht\n  12 | total = 1\n     | ^^^^^',
      'schlecht\n  14 | summe = 2\n     | ^^^^^',
    ],
    [
      'source that is pointed at',
      'A.java:3: 错误: 找不到符号\n  foo();\n  ^',
      'A.java:5: 错误: 找不到符号\n  a + foo();\n      ^',
    ],
    [
      'quoted source below a frame',
      'schlecht\n  File "a.py", line 3\n    return total\n',
      'schlecht\n  File "a.py", line 9\n    return summe\n',
    ],
    [
      'quoted source with numbers',
      'schlecht\n12 | total = 1\n13 | print',
      'schlecht\n14 | summe = 2\n15 | los',
    ],
    ['lines without letters', 'schlecht\n=====', 'schlecht\n--- 1/2'],
    ['a box around it', '│ x fehlt │\n│ y fehlt │', '┃ x fehlt │\n| y fehlt │'],
    ['blanks around it', 'x fehlt', '\n  x fehlt \r\n'],
    ['the end of a long line', `x ${'fehlt '.repeat(100)}a`, `x ${'fehlt '.repeat(100)}b`],
    ['blank lines before many', `${'\n '.repeat(60)}\n${many('a')}`, many('a')],
    ['the middle of many lines', many('eins'), many('zwei')],
    ['the middle of a long output', long('eins'), long('zwei')],
    [
      'where a long output is cut',
      `nach 9 ms\n${`${'weiter '.repeat(40)}\n`.repeat(40)}nach 9 ms`,
      `nach 10 ms\n${`${'weiter '.repeat(40)}\n`.repeat(40)}nach 10 ms`,
    ],
    ['colours', '\u001b[31mnicht da\u001b[0m', 'nicht da'],
    ['the order of lines', 'x fehlt\ny fehlt', 'y fehlt\nx fehlt'],
    [
      'an address that a function was called with',
      'notes.TestReload(0xc0007e28a6)\n--- FAIL: TestReload',
      'notes.TestReload(0xc000a8b77b)\n--- FAIL: TestReload',
    ],
  ])('[ERR3] is the same but for %s', (_, one, other) => {
    expect(readError(one).signature).toBe(readError(other).signature);
  });

  it.each([
    [
      'a line in the middle',
      'start\nx is missing\n*** stop 1',
      'start\ny is not closed\n*** stop 1',
    ],
    [
      'what follows a generic line',
      'cannot find symbol\n  variable x',
      'cannot find symbol\n  variable y',
    ],
    ['the message', "KeyError: 'a'", "KeyError: 'b'"],
    [
      'the mistake, if a name is only mentioned',
      'rate(3) is 19\na.py:3: AssertionError',
      'book is empty\na.py:3: AssertionError',
    ],
    [
      'what is as far to the right as a frame',
      'x\n  at a.mjs:3:9\n  eins',
      'x\n  at a.mjs:3:9\n  zwei',
    ],
    ['one of the first lines', many('a', 'eins'), many('a', 'zwei')],
    ['one of the last lines', many('a', 'b', 'eins'), many('a', 'b', 'zwei')],
    ['a long line', `eins ${'x '.repeat(6000)}`, `zwei ${'x '.repeat(6000)}`],
    ['the end of a long output', `${long('a')}\neins`, `${long('a')}\nzwei`],
    [
      'the beginning of a long output',
      `x fehlt\n${'…\nweiter\n'.repeat(2000)}`,
      `y fehlt\n${'…\nweiter\n'.repeat(2000)}`,
    ],
  ])('[ERR4] is another one if this changes: %s', (_, one, other) => {
    expect(readError(one).signature).not.toBe(readError(other).signature);
  });

  it('[ERR5] is not what the code says itself', () => {
    const run = (i: number) => {
      const code = `echo "Teil ${i} von Liste ${'abc'[i]}"; los`;
      return readError(`Teil ${i} von Liste ${'abc'[i]}\nlos: nicht gefunden`, undefined, code)
        .signature;
    };
    expect(run(0)).toBe(run(1));
    const { signature, shape } = readError('boom', undefined, 'fail "boom"');
    expect(readError('boom')).toMatchObject({ signature, shape });
  });

  it('[ERR6] differs in its shape only if more than names and numbers differ', () => {
    const one = readError('Relation »ledger« fehlt in 3 Tabellen');
    const two = readError('Relation »book« fehlt in 7 Tabellen');
    expect(one.shape).toBe(two.shape);
    expect(one.signature).not.toBe(two.signature);
  });
});

describe('the place of an error', () => {
  it.each([
    ['a file', 'a.go:3:1: x fehlt', 'a.go:3:1: y fehlt'],
    ['a file in another line', 'a.go:3:1: x fehlt', 'a.go:14:2: x fehlt'],
    ['a file in another folder', '/app/a.go:3:1: x fehlt', 'src\\a.go:3:1: x fehlt'],
    ['a temporary file', 'x\n  at f (/tmp/a/b.js:3:1)', 'x\n  at f (/var/temp/c/b.js:3:1)'],
    ['a file with an id', 'x\n  at f (/app/4fc9e8f1.js:3:1)', 'x\n  at f (/app/1178ba60.js:3:1)'],
    [
      'several, in any order',
      'a.go:3:1: x fehlt\nb.go:3:1: x fehlt',
      'b.go:3:1: x fehlt\na.go:3:1: x fehlt',
    ],
  ])('[STO13] is the same for %s', (_, one, other) => {
    expect(readError(one).place).toBe(readError(other).place);
    expect(readError(one).place).toBeGreaterThan(0);
  });

  it.each([
    ['file', 'a.go:3:1: x fehlt', 'b.go:3:1: x fehlt'],
    ['file of a frame', 'x\n  at f (a.js:3:1)', 'x\n  at f (b.js:3:1)'],
    ['function of a frame', 'x\n  at f (a.js:3:1)', 'x\n  at g (a.js:3:1)'],
    ['number of files', 'a.go:3:1: x fehlt', 'a.go:3:1: x fehlt\nb.go:3:1: x fehlt'],
    ['file, where there was none', 'x fehlt', 'a.go:3:1: x fehlt'],
  ])('[STO13] is another for another %s', (_, one, other) => {
    expect(readError(one).place).not.toBe(readError(other).place);
  });

  it('[STO13] is none where the output names none', () => {
    expect(readError('x fehlt').place).toBe(0);
    expect(readError('Puffer(3 von 7) voll').place).toBe(0);
  });
});
