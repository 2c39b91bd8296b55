/*
 * All tuning numbers of detection. Each sits on a plateau: changing it by a quarter changes few outcomes. Limits that
 * users set are options of the detectors.
 */

// What a wait is.

/** A wait is at least this many times as long as the usual pause, and over this many laps after its latest call. */
export const WAIT_FACTOR = 4;
/** A pause of this many milliseconds resets everything, not only the polling of a tool. */
export const LONG_WAIT_MS = 600_000;
/** The least milliseconds that a person needs to repeat a message. */
export const ANSWER_MS = 1000;

// How stale a message is.

/** Staleness of what is neither new nor old: an empty phrase, another error of a known kind. */
export const HALF_STALE = 0.5;
/** Staleness of a message that an agent repeats once. From here on, a step no longer reduces the suspicion. */
export const SAID_AGAIN = 0.75;
/** This many new words make a message count as new. */
export const ENOUGH_WORDS = 10;
/** Up to this share of new words, a message counts as old. */
export const OLD_SHARE = 0.5;
/** From this share of new words on, a message counts as fresh. */
export const FRESH_SHARE = 0.7;
/** A new name or number counts as this many new words. */
export const FIGURE_WEIGHT = 1.5;
/** Extra share of fresh words required where facts are usual. */
export const FACT_FACTOR = 0.5;
/** Facts are usual if this share of the turns contains some. */
export const USUAL_FACTS: number = 2 / 3;
/** The share of turns with facts assumed before the first turn. */
export const EXPECTED_FACTS = 0.2;
/** Shorter messages, in tokens, are not checked for repeating themselves. */
export const SELF_REPETITION_TOKENS = 60;
/** A message repeats itself if at least this share of its tokens does. */
export const SELF_REPETITION_SHARE = 0.9;

// When an answer is cut off that repeats itself while it streams.

/** A text that says something repeats for this many characters in a row… */
export const REPEATED_PROSE = 6_000;
/** …and any other, such as zeros, blanks and code. */
export const REPEATED_DATA = 32_000;
/** The share of letters, and of a space for each word, in a text that says something. */
export const PROSE_SHARE = 0.8;
/** How many different words it has at least. */
export const PROSE_WORDS = 3;

// What is certain.

/** How many of the latest steps are remembered. */
export const MEMORY = 64;
/** A waiting agent takes at least this many milliseconds per call… */
export const PATIENCE_MS = 15_000;
/** …or its calls take this many themselves in each lap. */
export const SLEEP_MS = 10_000;
/** A failing call that is tried again after pauses of this many milliseconds is a poll, too. */
export const UNHURRIED_MS = 45_000;
/** The waits of a retry that backs off grow to this many times the first one… */
export const BACK_OFF = 1.5;
/** …or, drawn by lot, one of the latest two to this many times the shortest of the first… */
export const BACK_OFF_BY_LOT = 4;
/** …and to this many milliseconds. */
export const BACK_OFF_MS = 1000;

// How stale a call or a run is.

/** Staleness of a new request with a known result: deleting row after row, or searching in vain. */
export const KNOWN_OUTCOME = 0.4;
/** A longer result, in characters, is a page or a file, even if it starts like an error. */
export const ERROR_LENGTH = 1000;

// How suspicion builds up.

/** The share of the suspicion that an entirely new step removes. */
export const LEAK = 0.7;
/** The suspicion score that stops a team. */
export const STOP_AT = 10;
/** The share of it from which a team is told that is told first. */
export const TELL_SHARE: number = 2 / 3;

// When a judge is asked.

/** The earliest step at which a judge is asked. */
export const FIRST_QUESTION = 4;
/** The share of what a question requires that is enough for the first one. */
export const FIRST_SHARE = 0.6;
/** What every step adds towards the next question. */
export const PER_STEP = 0.15;
/** Two messages that share this much differ in one item only. */
export const FRAME_SHARE = 0.6;
/** Each no multiplies what the next question requires. */
export const MORE_PATIENT = 1.4;
/** The fewest steps between two questions. */
export const AGAIN_AFTER = 2;
