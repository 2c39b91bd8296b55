import { InvalidOptionError } from '../../errors.ts';
import type { JsonValue } from '../../json.ts';
import { checkNames, finite, namesOf, type OptionNames, reading } from '../../options.ts';

/** What a tool declares about itself. */
export interface ToolOptions {
  /** What makes two calls the same call. Without it, equal arguments do. */
  readonly loopKey?: (args: JsonValue) => JsonValue;
  /** Names of its fields, at any depth, that do not count when calls and results are compared. */
  readonly volatileFields?: readonly string[];
  /** Set if the tool is asked again and again while one waits, and may give the same answer each time. */
  readonly polls?: PollOptions;
  /**
   * Whether others write what it gives, such as web pages or mail. Its texts then decide nothing: it fails by the error or the
   * status it is reported with alone. None of them is quoted in reasons, which warnings pass on to models.
   * @defaultValue false
   */
  readonly untrusted?: boolean;
}

/** How long and how often a tool may be polled. */
export interface PollOptions {
  /** Milliseconds from the first call on for which the same answer is all right; for ever if missing. */
  readonly maxWaitMs?: number;
  /**
   * Milliseconds that lie between two polls at least; calls that follow each other faster are no polling.
   * @defaultValue 500
   */
  readonly minPauseMs?: number;
}

const TOOL_NAMES: OptionNames<ToolOptions> = {
  loopKey: true,
  volatileFields: true,
  polls: true,
  untrusted: true,
};
const POLL_NAMES: OptionNames<PollOptions> = { maxWaitMs: true, minPauseMs: true };

/** {@link ToolOptions} with their defaults. @internal */
export interface CheckedTool {
  readonly loopKey: ((args: JsonValue) => JsonValue) | undefined;
  readonly volatileFields: ReadonlySet<string>;
  readonly isUntrusted: boolean;
  readonly polls: { readonly maxWaitMs: number; readonly minPauseMs: number } | undefined;
}

/** Checks what tools declare. `volatileFields` hold for all of them. @internal */
export function checkTools(
  tools: Readonly<Record<string, ToolOptions>>,
  volatileFields: readonly string[],
): ReadonlyMap<string, CheckedTool> {
  const checked = new Map<string, CheckedTool>();
  const named = reading('analysis.tools', 'an object', tools, () => Object.entries(tools));
  for (const [name, tool] of named) {
    const path = `analysis.tools.${name}`;
    checkNames(path, tool, TOOL_NAMES);
    const { loopKey, polls, untrusted = false } = tool;
    if (loopKey !== undefined && typeof loopKey !== 'function') {
      throw new InvalidOptionError(`${path}.loopKey`, 'a function', loopKey);
    }
    if (typeof untrusted !== 'boolean') {
      throw new InvalidOptionError(`${path}.untrusted`, 'true or false', untrusted);
    }
    checked.set(name, {
      loopKey,
      isUntrusted: untrusted,
      volatileFields: new Set([
        ...volatileFields,
        ...namesOf(`${path}.volatileFields`, tool.volatileFields ?? []),
      ]),
      polls: polls && checkPolls(`${path}.polls`, polls),
    });
  }
  return checked;
}

function checkPolls(
  path: string,
  options: PollOptions,
): { readonly maxWaitMs: number; readonly minPauseMs: number } {
  checkNames(path, options, POLL_NAMES);
  const { maxWaitMs = Number.MAX_VALUE, minPauseMs = 500 } = options;
  return {
    maxWaitMs: finite(`${path}.maxWaitMs`, maxWaitMs, 0),
    minPauseMs: finite(`${path}.minPauseMs`, minPauseMs, 0),
  };
}
