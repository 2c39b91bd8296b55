// The types of tokens. Later ones mean more, except the last.

/** A word or a sign too short to be meaningful. */
export const PLAIN = 0;
/** A meaningful word. */
export const WORD = 1;
/** Half a word: a pair of characters of a script without spaces. */
export const HALF_WORD = 2;
/** A name with digits or joiners: a path, an identifier, a version. */
export const NAME = 3;
/** A number of one digit, which may occur by chance. */
export const DIGIT_NUMBER = 4;
export const NUMBER = 5;
/** A time to the second, a duration, a hash or a random id, which differs each time without meaning. */
export const VOLATILE = 6;
/** The number of types. */
export const TYPES = 7;
