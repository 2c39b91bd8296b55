/*
 * Every number by which detection judges, in one place. All of them sit on plateaus: a quarter more or less changes few
 * outcomes. Limits that users set, such as how many repetitions trip, are options of the detectors and not listed here.
 */

// What a wait is.

/** The pause between two steps, in milliseconds, that is expected before any was seen. */
export const FIRST_PACE_MS = 3000;
/** A wait is so many times as long as the usual pause. */
export const WAIT_FACTOR = 4;
/** A pause of so many milliseconds begins everything anew, not only the polling of a tool. */
export const LONG_WAIT_MS = 600_000;
/** Whoever was turned away has to pause for so many milliseconds for it to be a wait. */
export const BACK_OFF_MS = 5000;
/** A person needs at least so many milliseconds to say the same again. */
export const ANSWER_MS = 1000;

// How stale a message is.

/** The staleness of what is neither new nor old: the second time, an empty phrase, another error of a known kind. */
export const HALF_STALE = 0.5;
/** So many new words make any message new. */
export const ENOUGH_WORDS = 10;
/** Up to this share of new words, the words of a message are old. */
export const OLD_SHARE = 0.5;
/** From this share of new words on, they are fresh. */
export const FRESH_SHARE = 0.7;
/** A new name or number counts as so many new words. */
export const FIGURE_WEIGHT = 1.5;
/** So much more is asked of fresh words where facts are usual. */
export const FACT_FACTOR = 0.5;
/** Facts are usual where this share of the turns holds some. */
export const USUAL_FACTS: number = 2 / 3;
/** The share of turns with facts that is expected before any turn was seen. */
export const EXPECTED_FACTS = 0.2;
/** That expectation weighs as much as so many turns. */
export const EXPECTED_TURNS = 2;
/** A message of so many words without a number is tiny: a repeat of it means little. */
export const TINY_WORDS = 1;
/** With fewer other tokens, the numbers of a message are all there is to it. */
export const WORDS_AROUND_NUMBERS = 3;
/** With such a share of signs and numbers, a message is a formula, a table or a drawing. */
export const DATA_SHARE = 0.5;
/** What a program prints and somebody passes on has at most so many tokens. */
export const OUTCOME_TOKENS = 40;
/** Code of more characters is a program rather than one step. */
export const STEP_CODE_LENGTH = 600;
/** A message is an earlier one with another item if so much of both is the same. */
export const FRAME_SHARE = 0.6;
/** What is left of a list when an item is taken off has at least so many tokens. */
export const LIST_TOKENS = 4;
/** A message of fewer tokens repeats itself by nature. */
export const SELF_REPETITION_TOKENS = 60;
/** A message that repeats itself does so in this share of its tokens. */
export const SELF_REPETITION_SHARE = 0.9;

// How stale a call or a run is.

/** A result with so many words, or so many names and numbers, says something: less is an acknowledgement. */
export const RICH_WORDS = 6;
export const RICH_FIGURES = 2;
/** So many new words make a result another one. */
export const RESULT_WORDS = 1;
/** So many new words in what is asked make up for a result that says nothing. */
export const ASKED_WORDS = 6;
/** A result of more characters is a page or a file, even if it begins like an error. */
export const ERROR_LENGTH = 1000;
/** An error that names what none before it named counts as so much of one. */
export const TELLING_ERROR = 0.4;

// What is the same, and how suspicion builds up.

/** From this similarity on, two messages are the same in nearly the same words. */
export const SAME_WORDS = 0.8;
/** From this similarity on, a step that comes for the third time is worth more. */
export const ALIKE = 0.4;
/** It is worth at most so much more. */
export const THIRD_TIME = 1.5;
/** So much of the suspicion goes with a step in which all is new. */
export const LEAK = 0.6;
/** A message that is so many times as long as the first ones has grown. */
export const GROWTH = 3;
/** What says so little that it means little has to come so many times more. */
export const EXTRA_TINY = 2;
/** The suspicion that stops a team without asking. */
export const STOP_AT = 4.5;
/** From this share of it on, a team may be nudged. */
export const NUDGE_SHARE: number = 2 / 3;

// When a judge is asked.

/** The first question comes with this step at the earliest. */
export const FIRST_QUESTION = 4;
/** Each step brings the next question nearer by so much, whatever is new in it. */
export const PER_STEP = 0.05;
/** So much, if it is like two earlier ones of its agent. */
export const PER_LIKE_STEP = 0.2;
