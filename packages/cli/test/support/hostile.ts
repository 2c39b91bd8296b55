import { said } from './recordings.ts';

/** What a recording may say to break a page that shows it. */
export const HOSTILE: readonly string[] = [
  '<script>window.hacked = 1</script>',
  '</style></svg><img src="x" onerror="window.hacked = 1">',
  '"><svg onload="window.hacked = 1"><a href="javascript:window.hacked=1">here</a>',
  'javascript:window.hacked=1',
  "' style='position:fixed;inset:0' onmouseover='window.hacked=1'",
  '\u202Edrawkcab \u2066isolate \u0000\u0007\u001b[2J end',
  '<!-- ]]> {{constructor}} window.hacked=1 &lt;b&gt;',
  'https://example.org/track.png <iframe src="https://example.org"></iframe>',
];

/** Conversations whose ids, speakers and words are all hostile: 500 speakers, and messages of a megabyte. */
export function hostileLines(): string[] {
  const lines: string[] = [];
  for (const [i, text] of HOSTILE.entries()) {
    for (let turn = 0; turn < 12; turn++) lines.push(said(turn, text, `${text} ${turn % 2}`, text));
    lines.push(said(13, text, text, `${'w'.repeat(500_000)}${'\u0301'.repeat(500_000)} ${i}`));
  }
  const long = 'long '.repeat(200_000);
  lines.push(said(1, long, long, long));
  for (let i = 0; i < 500; i++) {
    lines.push(
      said(i, 'crowd', `${HOSTILE[i % HOSTILE.length]} speaker ${i}`, `I am number ${i}.`),
    );
  }
  return lines;
}
