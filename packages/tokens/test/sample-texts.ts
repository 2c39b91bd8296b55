import { readFileSync } from 'node:fs';

/** A pseudo-random choice that is the same in every run. */
function* choices(count: number, options: readonly string[]): Generator<string, void> {
  for (let index = 0, state = 7; index < count; index += 1) {
    state = (state * 48_271) % 2_147_483_647;
    yield options[state % options.length] ?? '';
  }
}

const words =
  'the of and to a in that is was he for it with as his on be at by had not are but from or have an they which one you were her all she there would their we him been has when who will more no if out so said what up its about into than them can only other new some could time these two may then do first any my now such like our over man me even most made after also did many before must through back years where much your way well down should because each just those people how too little state good very make world still own see men work long get here between both life being under never day same another know while last might us great old year off come since against go came right used take three'.split(
    ' ',
  );

/** English words in sentences and paragraphs, about 28,000 tokens. */
export const prose: string = [...choices(24_000, words)]
  .map((word, index) => {
    if (index % 97 === 96) return `${word}.\n\n`;
    return index % 13 === 12 ? `${word}, ` : `${word} `;
  })
  .join('');

/** The sources of this package over and over, as one program. */
export const code: string = [
  'byte-pair-counter',
  'estimating-counter',
  'load-token-counter',
  'text-windows',
  'token-counter',
]
  .map((name) => readFileSync(new URL(`../src/${name}.ts`, import.meta.url), 'utf8'))
  .join('\n')
  .repeat(12);

/** Records as a tool gives them back. */
export const json: string = JSON.stringify(
  [...choices(2_000, words)].map((word, id) => ({ id, word, tags: [word, 'x'], score: id * 1.5 })),
);
