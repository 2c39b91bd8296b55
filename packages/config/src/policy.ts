import type { BreakerOptions, BudgetOptions, PriceBook } from '@teamfuse/core';
import type { AnalyzerOptions, FailingField, ToolOptions } from '@teamfuse/core/detectors';
import type { Prices } from '@teamfuse/core/kit';

/** Options that a file cannot hold, or not in every form: functions, stores, price books and detectors of your own. */
export interface CodeOptions
  extends Pick<
    BreakerOptions,
    'judge' | 'circuits' | 'detectors' | 'now' | 'timers' | 'redact' | 'prices' | 'models'
  > {
  /** Where spend is kept; by default in memory. */
  readonly budget?: Pick<BudgetOptions, 'store'>;
  /** What makes two calls of a tool the same call, and which of its results are failures. */
  readonly analysis?: {
    readonly tools?: Readonly<Record<string, Pick<ToolOptions, 'loopKey' | 'isFailure'>>>;
  };
}

/** The options of a breaker that are data, and so can be set in a file. */
export interface PolicyOptions extends Omit<BreakerOptions, keyof CodeOptions> {
  /** Whether a guard lends a judge that asks the model of the team, or the model of this name. */
  readonly judge?: boolean | string;
  /** What the team may spend. */
  readonly budget?: Omit<BudgetOptions, 'store'>;
  /** Your own prices by model; other models keep their public prices. */
  readonly prices?: Exclude<Prices, PriceBook>;
  /** How signals are read for all detectors. */
  readonly analysis?: Omit<AnalyzerOptions, 'tools'> & {
    /** What tools declare about themselves, by their names. */
    readonly tools?: Readonly<Record<string, ToolPolicy>>;
  };
}

/** What a tool declares about itself, as data. */
export interface ToolPolicy extends Omit<ToolOptions, 'loopKey' | 'isFailure'> {
  /** Which of its results are failures. */
  readonly isFailure?: FailingField;
}

/** What a gateway has to know. */
export interface GatewayPolicy {
  /** The team of each key that belongs to one: by the beginning of its SHA-256, or by the environment variable that holds it. */
  readonly keys?: Readonly<Record<string, string>>;
  /** Where several gateways keep one budget: `redis://…`, `postgres://…`, or the path of a file on one machine. */
  readonly store?: string;
  /** How much a request may hold. */
  readonly bounds?: GatewayBounds;
}

/** How much a request may hold. What holds more is refused with status 400. */
export interface GatewayBounds {
  /** Most bytes of a body, both as it was sent and unpacked. */
  readonly maxBytes?: number;
  /** Most messages of a history. */
  readonly maxMessages?: number;
  /** Most parts of a body together: each field and each entry of a list, at any depth. */
  readonly maxParts?: number;
  /** How deep lists and objects may lie in each other. */
  readonly maxDepth?: number;
}

/** A checked policy: the options of all teams, and what differs for single ones. */
export interface Policy {
  /** Where it was read from. */
  readonly file: string;
  /** The text of the file, in which errors find their line. */
  readonly text: string;
  readonly options: PolicyOptions;
  readonly teams: Readonly<Record<string, PolicyOptions>>;
  readonly gateway?: GatewayPolicy;
}
