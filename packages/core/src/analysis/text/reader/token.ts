// The types of tokens. Later ones say more, but for the last.

/** A word or a sign that is too short to mean something on its own. */
export const PLAIN = 0;
/** A word long enough to mean something. */
export const WORD = 1;
/** Half a word: one pair of characters of a script without spaces. */
export const HALF_WORD = 2;
/** A name with digits or joiners in it: a path, an identifier, a version. */
export const NAME = 3;
/** A number of one digit, which is soon said by chance. */
export const DIGIT_NUMBER = 4;
export const NUMBER = 5;
/** A time to the second, a duration, a hash, a random id: other characters each time, and nothing said by them. */
export const VOLATILE = 6;
/** How many types there are. */
export const TYPES = 7;
