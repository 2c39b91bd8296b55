const rows = (count: number, row: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => row(i)).join('\n');
const fenced = (code: string): string => `Here it is:\n\n\`\`\`\n${code}\n\`\`\`\n`;
const cells = '<div class="cell"></div>\n';
const REFRAIN = 'And the wheel turns round,\nand the river runs down,\nand nobody asks it why.\n\n';

/** Answers that are as they should be, though much in them is the same. */
export const HEALTHY: Readonly<Record<string, string>> = {
  'a table whose rows look alike': rows(500, (i) => `| ${i} | open | yes | 0.00 | none |`),
  'a table whose rows are the same': rows(600, () => '| open | yes | 0.00 | none | - | open |'),
  'a song whose refrain comes back': rows(
    12,
    (i) => `Verse ${i} tells of the ${i} years that we spent by the water.\n\n${REFRAIN}`,
  ),
  'a refrain that is sung ten times': REFRAIN.repeat(10),
  'a hundred lines to be written out': 'I will not throw paper airplanes in class.\n'.repeat(100),
  'minified code': `var a=[],b={};${rows(900, (i) => `a.push({k:${i},v:b[${i}]});`).replaceAll('\n', '')}`,
  'minified code without figures': 'e.push(0),t.push(0),n.push(0),'.repeat(1000),
  'records of a fixture': rows(500, (i) => `{"id":${i},"name":"user ${i}","isActive":true},`),
  'records of a fixture that are the same': rows(
    500,
    () => '{"id":null,"name":"","isActive":false},',
  ),
  'a multiplication table': rows(200, (i) => rows(20, (k) => `${i} x ${k} = ${i * k}`)),
  'a log': rows(400, (i) => `12:00:${i % 60} INFO request ${i} was answered in ${i % 7} ms`),
  'a list of imports': rows(200, (i) => `import { part${i} } from './parts/part${i}.ts';`),
  'a long row of zeros': '0'.repeat(30_000),
  'zeros between commas': '0, '.repeat(10_000),
  'base64 of an empty picture': 'AAAA'.repeat(7_000),
  'rules of Markdown': '---------\n'.repeat(3_000),
  blanks: ' '.repeat(30_000),
  'a board for Go': fenced(cells.repeat(361)),
  'a board of 32 by 32 cells': cells.repeat(1024),
  'a chess board': rows(
    400,
    () => '+---+---+---+---+---+---+---+---+\n|   | p |   | p |   | p |   | p |',
  ),
  'fifty tests that look alike': rows(
    50,
    (i) => `test('adds ${i}', () => {\n  expect(add(${i}, 1)).toBe(${i + 1});\n});\n`,
  ),
  'lines of code that are the same': fenced('        self.flush_events(timeout)\n'.repeat(500)),
  'a log in a block of code': fenced('The worker waits for the next job.\n'.repeat(800)),
  'a drawing': rows(300, () => '/\\_/\\ ( o.o ) > ^ <'),
};

/** Answers that have come to repeat themselves, to be gone on with for as long as one likes. */
export const DEGENERATE: Readonly<Record<string, string>> = {
  'a sentence': 'I will check the file once more. ',
  'a sentence without spaces': '我会再检查一次这个文件。',
  'a paragraph': `${'The test fails since the file was not found, so we look for the file in the next directory. '.repeat(9)}\n\n`,
  'prose with code in it': `Let me try to run the tests of the project once more now:\n\`\`\`sh\nnpm test\n\`\`\`\nThat has failed, so I will try again.\n\n`,
};

/** The same with what may be data: that takes longer. */
export const DEGENERATE_DATA: Readonly<Record<string, string>> = {
  'a word': 'The ',
  'a character': '！',
  'a tag': '</invoke>\n',
  'a line of code': '```\n        self._write_line()\n```\n'.slice(4, -4),
};
