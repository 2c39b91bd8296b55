const SAID = /^#\d+ (.+) (?:said|ran|called|ended)/;
const LATEST = 4;
const ALIKE = 0.25;

/**
 * Stands in for a model that judges: a team goes in circles if two of its latest steps come for the third time, in much the
 * same words and with the same figures.
 *
 * @param {string} question the record of a team, as `questionMessages()` of `@teamfuse/judge` writes it
 * @returns {string} the answer as JSON
 */
export function verdictOn(question) {
  const said = question
    .split(/^(?=#\d+ )/m)
    .filter((block) => SAID.test(block))
    .map((block) => ({ who: SAID.exec(block)[1], ...wordsOf(block) }));
  const isThird = said.map((step, i) => {
    const before = said.slice(0, i).filter(({ who }) => who === step.who);
    return before.filter((earlier) => similarity(earlier, step) >= ALIKE).length >= 2;
  });
  const isLoop = isThird.slice(-LATEST).filter(Boolean).length >= 2;
  return JSON.stringify(
    isLoop
      ? {
          reason: 'Its latest steps say for the third time what was said before.',
          probability: 0.9,
        }
      : { reason: 'Its latest steps say something else than before.', probability: 0.1 },
  );
}

function wordsOf(block) {
  const text = block.split('\n').slice(1).join(' ').toLowerCase();
  const figures = text.match(/\d+/g) ?? [];
  return { words: new Set(text.match(/\p{L}{3,}/gu)), figures: figures.join(' ') };
}

function similarity(one, other) {
  if (one.figures !== other.figures) return 0;
  const both = [...one.words].filter((word) => other.words.has(word)).length;
  return both / Math.max(1, one.words.size + other.words.size - both);
}
