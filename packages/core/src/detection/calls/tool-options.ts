import { isArray, isRecord, type JsonValue } from '../../common/json.ts';
import { atOnce } from '../../common/maybe-promise.ts';
import type { OptionTable, WithDefaults } from '../../common/option-table.ts';
import { functionOf, orInvalid } from '../../common/options.ts';
import { isPlain } from '../../common/to-json.ts';
import { jsonIn } from '../failures/error-fields.ts';

/** What a tool declares about itself. */
export interface ToolOptions {
  /**
   * The key that identifies a call, compared literally and whatever the result. Where it gives
   * nothing, fails, or gives what JSON cannot hold, calls are compared as without it.
   */
  readonly loopKey?: (args: JsonValue) => JsonValue;
  /** Names of fields, at any depth, that are ignored when its calls and results are compared. */
  readonly volatileFields?: readonly string[];
  /** Set if the tool is polled, and may return the same result each time. */
  readonly polls?: PollOptions;
  /**
   * Whether its results come from third parties, such as web pages or mail. They are then never
   * quoted in reasons, which reach models, and never decide whether it failed: only a reported
   * error or status does.
   * @defaultValue false
   */
  readonly untrusted?: boolean;
  /**
   * Which of its results are failures: a field with the values that say so, or in code a function
   * of the result. It alone decides then; a reported error is a failure in any case. Without it,
   * results in one of the usual forms are failures, such as an error field, an exit code, or
   * `success: false`.
   */
  readonly isFailure?: FailingField | ((result: JsonValue) => boolean);
}

/** A field of a result that tells a failure. */
export interface FailingField {
  /** The name of the field, at the top of the result. */
  readonly field: string;
  /** The values of the field in failures, as texts: `"crashed"`, `"false"`, `"3"`. */
  readonly is: readonly string[];
}

const FAILING_FIELD: OptionTable<FailingField> = {
  field: { type: 'text', isRequired: true },
  is: { type: 'texts', isRequired: true },
};

/** How long and how often a tool may be polled. */
export interface PollOptions {
  /** Milliseconds after the first call during which the same result is accepted; unlimited if missing. */
  readonly maxWaitMs?: number;
  /**
   * Least milliseconds between two polls; faster calls are not polling.
   * @defaultValue 500
   */
  readonly minPauseMs?: number;
}

const POLL_OPTIONS: OptionTable<PollOptions, 'maxWaitMs'> = {
  maxWaitMs: { type: 'number', min: 0 },
  minPauseMs: { type: 'number', min: 0, default: 500 },
};

type Unset = 'loopKey' | 'volatileFields' | 'polls' | 'isFailure';

/** The fields of {@link ToolOptions}. */
export const TOOL_OPTIONS: OptionTable<ToolOptions, Unset> = {
  loopKey: { type: 'code' },
  volatileFields: { type: 'texts' },
  polls: { type: 'table', documentedBy: 'PollOptions', of: POLL_OPTIONS },
  untrusted: { type: 'flag', default: false },
  isFailure: { type: 'table', documentedBy: 'FailingField', of: FAILING_FIELD, orCode: true },
};

/** {@link ToolOptions} with their defaults. */
export interface CheckedTool {
  readonly loopKey: ((args: JsonValue) => JsonValue | undefined) | undefined;
  readonly volatileFields: ReadonlySet<string>;
  readonly isUntrusted: boolean;
  readonly isFailure: ((result: JsonValue) => boolean | undefined) | undefined;
  readonly polls: { readonly maxWaitMs: number; readonly minPauseMs: number } | undefined;
}

/** What each tool declares, by its name. */
export type CheckedTools = ReadonlyMap<string, CheckedTool>;

/** The name under which all tools declare something that have no entry of their own. */
const ANY_TOOL = '*';

/** What a tool declares. */
export function declaredBy(tools: CheckedTools, name: string): CheckedTool | undefined {
  return tools.get(name) ?? tools.get(ANY_TOOL);
}

/** What tools declare, as their table has read it. `volatileFields` hold for all of them. A function that fails decides nothing. */
export function checkTools(
  tools: Readonly<Record<string, ToolOptions>>,
  volatileFields: readonly string[],
  report: (error: unknown) => void,
): CheckedTools {
  const asked =
    <A, R>(name: string, fn: (argument: A) => R) =>
    (argument: A): R | undefined => {
      try {
        return atOnce(name, fn(argument));
      } catch (error) {
        report(error);
        return undefined;
      }
    };
  const checked = Object.entries(tools).map(([name, tool]): [string, CheckedTool] => {
    const { loopKey, polls, untrusted = false, isFailure, volatileFields: own = [] } = tool;
    const place = `analysis.tools.${name}`;
    const tolerant = polls as WithDefaults<PollOptions, 'maxWaitMs'> | undefined;
    return [
      name,
      {
        loopKey: loopKey && asked(`${place}.loopKey`, keyBy(`${place}.loopKey`, loopKey)),
        isUntrusted: untrusted,
        isFailure:
          typeof isFailure === 'object'
            ? tells(isFailure)
            : isFailure && asked(`${place}.isFailure`, isFailure),
        volatileFields: new Set([...volatileFields, ...own]),
        polls: tolerant && { maxWaitMs: Number.MAX_VALUE, ...tolerant },
      },
    ];
  });
  return new Map(checked);
}

/** A function for keys that gives JSON, or nothing. */
function keyBy(
  place: string,
  loopKey: (args: JsonValue) => JsonValue,
): (args: JsonValue) => JsonValue | undefined {
  const ask = functionOf(place, loopKey);
  return (args) => {
    const key: unknown = atOnce(place, ask(args));
    const json = orInvalid(place, 'a key of JSON', key, () => JSON.stringify(key, plainly));
    return json === undefined ? undefined : (JSON.parse(json) ?? undefined);
  };
}

/** Throws at what JSON would leave out, or write as nothing, though there is something. */
function plainly(_: string, value: unknown): unknown {
  if (typeof value === 'bigint') return String(value);
  const isObject = typeof value === 'object' && value !== null;
  const isEmpty = isObject && Object.keys(value).length === 0;
  const isHidden = isEmpty && !isArray(value) && !isPlain(value);
  if (isHidden || typeof value === 'function' || typeof value === 'symbol') throw new TypeError();
  return value;
}

/** Whether the field of a result, or of the JSON in it, has one of the values. */
function tells({ field, is }: FailingField): (result: JsonValue) => boolean {
  return (result) => {
    const answer = typeof result === 'string' ? jsonIn(result) : result;
    const value = isRecord(answer) ? answer[field] : undefined;
    return value !== undefined && typeof value !== 'object' && is.includes(String(value));
  };
}
