import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { News, Vocabulary } from '../../../src/detection/text/vocabulary.ts';
import { reading } from './texts.ts';

describe('a vocabulary', () => {
  it('[ANL1] knows when each word was last used, also after a restart', () => {
    const terms = fc.array(fc.integer(), { maxLength: 200 });
    fc.assert(
      fc.property(terms, fc.nat(200), (all, restart) => {
        let vocabulary = new Vocabulary(4096);
        const used = new Map<number, number>();
        for (const [i, term] of [...all, ...all].entries()) {
          if (i === restart) {
            const json = JSON.parse(JSON.stringify(vocabulary.snapshot()));
            vocabulary = new Vocabulary(4096);
            vocabulary.restore('vocabulary', json);
          }
          const before = vocabulary.use(term, i + 1);
          const expected = used.get(term === 0 ? 1 : term);
          if (expected === undefined) expect(before).toBeLessThan(-(2 ** 29));
          else expect(before).toBe(expected);
          used.set(term === 0 ? 1 : term, i + 1);
        }
      }),
      { numRuns: 40 },
    );
  });

  it('[ANL1] forgets those first that have not been used for longest', () => {
    const vocabulary = new Vocabulary(16);
    for (let turn = 1; turn <= 400; turn++) {
      if (turn > 1) expect(vocabulary.use(-7, turn)).toBe(turn - 1);
      else vocabulary.use(-7, turn);
      vocabulary.use(turn, turn);
    }
    const known = Array.from({ length: 400 }, (_, i) => vocabulary.use(i + 1, 401) > 0);
    expect(known.filter(Boolean).length).toBeLessThan(16);
  });

  it('[ANL1] knows nearly all of a thousand words, and no other', () => {
    const vocabulary = new Vocabulary(4096);
    const words = Array.from({ length: 1000 }, (_, i) => 2 * i + 2);
    for (const word of words) vocabulary.use(word, 1);
    const turns = words.map((word) => vocabulary.use(word, 2));
    expect(turns.filter((turn) => turn === 1).length).toBeGreaterThan(970);
    expect(words.map((word) => vocabulary.use(word - 1, 3)).filter((turn) => turn > -1)).toEqual(
      [],
    );
  });

  it('[ANL1] knows nothing after a new beginning', () => {
    const vocabulary = new Vocabulary(16);
    vocabulary.use(5, 1);
    vocabulary.clear();
    expect(vocabulary.use(5, 2)).toBeLessThan(0);
    expect(vocabulary.snapshot()).toEqual(vocabulary.snapshot());
  });
});

describe('the news in a text', () => {
  /** The news in the last of these texts, one a turn. */
  function newsIn(texts: readonly string[], horizonTurns = 100): News {
    const vocabulary = new Vocabulary(4096);
    const news = new News();
    for (const [i, text] of texts.entries()) {
      news.take(reading(text), vocabulary, i + 1, horizonTurns);
    }
    return news;
  }

  it('[ANL1] is its new words, names and numbers, each once', () => {
    const news = newsIn([
      'the mill by the river',
      'the river and the harbour harbour of a-1, 17 and 4',
    ]);
    expect(news).toMatchObject({
      words: 1,
      figures: 2,
      weight: 4,
      fresh: 4,
      content: 5,
      allFigures: 3,
    });
    expect(news.share).toBe(0.8);
  });

  it('[ANL1] is that of this text alone, whatever was read before', () => {
    const reader = reading('the mill by the river');
    reader.clear();
    reader.read('mill');
    expect(new News().take(reader, new Vocabulary(4096), 1, 100)).toMatchObject({
      words: 1,
      content: 1,
    });
  });

  it('[ANL1] counts pairs of characters as half words', () => {
    expect(newsIn(['水车坊'])).toMatchObject({ words: 1, content: 1, figures: 0 });
  });

  it('[ANL1] is nothing where all is known, or nothing said', () => {
    const line = 'the mill by the river has 17 wheels';
    expect(newsIn([line, line])).toMatchObject({ words: 0, figures: 0, fresh: 0, share: 0 });
    expect(newsIn([''])).toMatchObject({ content: 0, share: 0, isEdited: false });
  });

  it('[ANL1] includes what was said too long ago', () => {
    const line = 'the mill by the river';
    const rest = ['yes', 'yes'];
    expect(newsIn([line, ...rest, line], 3).words).toBe(0);
    expect(newsIn([line, ...rest, line], 2).words).toBe(2);
  });

  it('[ANL1] makes a draft another one if it has two new words, and a tenth', () => {
    const words = 'river mill harbour market garden lantern winter summer spring autumn';
    const long = `${words} ${words.replaceAll(/(\w)(\w+)/g, '$2$1')}`;
    expect(newsIn([words, `${words} bridge`]).isEdited).toBe(false);
    expect(newsIn([words, `${words} bridge castle`]).isEdited).toBe(true);
    expect(newsIn([long, `${long} bridge castle`]).isEdited).toBe(false);
    expect(newsIn([long, `${long} bridge castle tower`]).isEdited).toBe(true);
  });
});
