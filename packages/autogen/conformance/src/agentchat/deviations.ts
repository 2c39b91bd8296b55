/** A way in which the package differs from the recorded library on purpose. */
export interface Deviation {
  /** The tag of the cases that may differ. */
  readonly tag: string;
  /** The rule in the package's SPEC.md. */
  readonly rule: string;
  readonly reason: string;
  /** The places where the difference shows; without it, it changes the course of a case. */
  readonly where?: RegExp;
  /** Unique ids of cases that show the difference without carrying the tag. */
  readonly untagged?: readonly string[];
}

/** What loading a component gave. */
const LOADED = /^\.(?:loaded_type|reloaded_dump)/;
/** What was said, to whomever. */
const SAID = /\.content(?:\[|$)|\.results\[/;

/**
 * All deliberate differences, as the record of known differences names them. The exact differences
 * stand in that record.
 */
export const deviations: readonly Deviation[] = [
  {
    tag: 'stale-speaker',
    rule: 'DEV1',
    reason: 'A failed or cancelled turn leaves no speaker behind: the next run goes on.',
    untagged: ['teams/random/0005'],
  },
  {
    tag: 'base-exception',
    rule: 'DEV2',
    reason: 'Whatever is thrown ends the run; nothing is left waiting.',
  },
  {
    tag: 'pause-when-idle',
    rule: 'DEV3',
    reason: 'A team that is not running passes pause and resume on as well.',
  },
  {
    tag: 'early-close',
    rule: 'DEV4',
    reason: 'Whoever leaves a stream ends the run; nothing goes on unseen.',
  },
  {
    tag: 'nested-empty-buffer',
    rule: 'DEV5',
    reason: 'An inner team with nothing new to read goes on where it stopped.',
  },
  {
    tag: 'selector-event-unregistered',
    rule: 'DEV6',
    reason: 'A team shows the SelectorEvents of its inner teams.',
  },
  {
    tag: 'selector-history-duplicated',
    rule: 'DEV7',
    reason: 'Loading a state replaces what the selecting model had seen.',
    where: /\.model_calls\[/,
  },
  {
    tag: 'topic-name',
    rule: 'DEV8',
    reason: 'There are no topics, so that any text can name a team.',
  },
  {
    tag: 'hang',
    rule: 'DEV2',
    reason: 'Malformed tool calls and odd names end in a result or an error.',
  },
  {
    tag: 'token-partial-not-loadable',
    rule: 'DEV9',
    reason: 'Every dump of a TokenUsageTermination can be loaded.',
    where: LOADED,
    untagged: ['components/load/config/token_one', 'components/load/config/token_two'],
  },
  {
    tag: 'sources-not-dumped',
    rule: 'DEV10',
    reason: 'The sources of a TextMentionTermination are part of its dump.',
    where: /\.sources$/,
  },
  {
    tag: 'python-import',
    rule: 'DEV11',
    reason: 'Providers are looked up and never imported.',
    where: LOADED,
  },
  {
    tag: 'pydantic-coercion',
    rule: 'DEV12',
    reason: 'A config is checked strictly: "5" is not 5.',
  },
  {
    tag: 'pydantic-text',
    rule: 'DEV13',
    reason: 'Faulty tool arguments are explained in the words of the schema library.',
    where: SAID,
  },
  {
    tag: 'python-str',
    rule: 'DEV14',
    reason: 'What a tool returns is told to the model as JSON.',
    where: SAID,
  },
  {
    tag: 'python-json-text',
    rule: 'DEV14',
    reason: 'JSON is written without blanks.',
    where: SAID,
  },
  {
    tag: 'python-float-text',
    rule: 'DEV15',
    reason: 'JavaScript knows one kind of number: 30.0 is written 30.',
    where: /\.stop\.content$/,
  },
  {
    tag: 'python-repr',
    rule: 'DEV16',
    reason: 'The kind of a memory content is a text and never a member of an enumeration.',
    where: /\.(?:stop|terminated)$/,
  },
  {
    tag: 'not-awaited-coroutine',
    rule: 'DEV17',
    reason: 'Every promise is awaited.',
    where: /\.(?:stop|terminated)$/,
  },
  {
    tag: 'string-as-list',
    rule: 'DEV18',
    reason: 'A text where a list of texts is meant is refused.',
  },
  {
    tag: 'handoff-string-not-loadable',
    rule: 'DEV19',
    reason: 'A handoff given by its target alone can be loaded.',
    where: LOADED,
  },
  {
    tag: 'handoff-name',
    rule: 'DEV19',
    reason: 'A handoff that could be made can be loaded.',
    where: LOADED,
  },
];
