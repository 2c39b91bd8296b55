import { describe, expect, it } from 'vitest';
import { readError } from '../../../src/detection/failures/error-text.ts';

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
  ])('[ERR1] is called by its name: %j', (text, category) => {
    expect(readError(text)).toMatchObject({ category, isNamed: true });
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
