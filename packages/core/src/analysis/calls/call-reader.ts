import type { JsonValue } from '../../json.ts';
import type { ToolCallSignal } from '../../signal/signal.ts';
import { estimateTokens } from '../../token-estimate.ts';
import { readOutcome } from '../failures/failure.ts';
import { hashText, mixHash } from '../hash.ts';
import type { Memory } from '../memory.ts';
import { restoredRecord } from '../restored.ts';
import type { Reading } from '../step.ts';
import {
  ITEM_DONE,
  idlenessOfRepeat,
  isAcknowledgement,
  MIN_RICH_CONTENT,
} from '../text/idleness.ts';
import { CallCounters, NO_COUNTERS, without, withoutEcho } from './call-arguments.ts';
import { type Asking, KnownCalls, NO_NAMES } from './known-calls.ts';
import type { CheckedTool } from './tool-options.ts';

/** Arguments with less to them are values; with more they are a text, in which a counter does not matter. */
const MIN_TEXT_TOKENS = 4;
/** News in the arguments, in words, that make an acknowledged call progress. */
const NEW_INPUT_WORDS = 3;
const NEW_INPUT_SHARE = 0.6;
/** News in the arguments, in words, that outweigh an answer which is nothing new. */
const WORDS_FOR_ACKNOWLEDGED = 10;
const WORDS_FOR_KNOWN_RESULT = 20;
const MIN_IDLENESS = 0.25;
/** A call that was turned away brought nothing, but it is not a repeat of what never happened. */
const REFUSED = 0.75;
const PLAIN = { isResult: false, place: 0, names: NO_NAMES };

/** Reads tool calls: by what they asked and, above all, by what came back. */
export class CallReader {
  readonly #memory: Memory;
  readonly #tools: ReadonlyMap<string, CheckedTool>;
  readonly #volatileFields: ReadonlySet<string>;
  readonly #counters: CallCounters = new CallCounters();
  readonly #known: KnownCalls;
  #tokens = 0;

  constructor(
    memory: Memory,
    tools: ReadonlyMap<string, CheckedTool>,
    volatileFields: readonly string[],
  ) {
    this.#memory = memory;
    this.#tools = tools;
    this.#volatileFields = new Set(volatileFields);
    this.#known = new KnownCalls(memory);
  }

  /** Roughly how many tokens the last call had, with its result. */
  get tokens(): number {
    return this.#tokens;
  }

  /** Reads `signal` and gives, beside the reading, the fingerprint of the call without its result. */
  read(signal: ToolCallSignal): Reading & { readonly command: number } {
    const memory = this.#memory;
    const declared = this.#tools.get(signal.tool);
    const ignored = declared?.volatileFields ?? this.#volatileFields;
    const tool = hashText(signal.tool);
    const isDeclared = declared?.loopKey !== undefined;
    const args = declared?.loopKey?.(signal.args) ?? signal.args;
    const counted = isDeclared ? NO_COUNTERS : this.#counters.of(tool, args);
    const command = mixHash(
      tool,
      this.#readArguments(tool, args, { ignored, counted, isDeclared }),
    );
    const isAll = !isDeclared && counted.size === 0 && ignored.size === 0;
    this.#tokens = this.#tokensOf(signal.args, isAll);
    // What is new for the tool is an input, even if it was talked about before.
    const news = memory.take(tool | 0);
    const input = {
      weight: news.weight,
      content: news.content,
      share: news.words / Math.max(1, news.content),
      hasFigures: news.newFigures > 0,
      hasNumbers: news.newFigures + news.digits > 0,
    };
    memory.take();

    memory.reader.clear();
    const told = signal.result ?? signal.error?.message ?? null;
    const result = withoutEcho(told, signal.args);
    this.#known.readAnswer(result, ignored);
    this.#tokens += this.#tokensOf(told, result === told && ignored.size === 0);
    const answer = memory.take();
    const { key, repeats } = this.#known.see({
      agent: hashText(signal.agent),
      command,
      asked: input.content,
      content: answer.content,
      figures: answer.allNumbers,
    });
    const asked = memory.see(command);
    const outcome = readOutcome(signal, this.#known.commandOr(command));
    const deed = { type: 'called' as const, key, subject: signal.tool, repeats };
    const { failure } = outcome;
    if (failure?.isRefusal) return { deed, idleness: REFUSED, ...outcome, command };
    if (failure) return { deed, idleness: memory.idlenessOfFailure(failure), ...outcome, command };
    if (repeats > 0) {
      const idleness = idlenessOfRepeat(repeats, Number.POSITIVE_INFINITY, 0);
      return { deed, idleness, ...outcome, command };
    }
    const hasNewAnswer = asked > 0 || answer.words + answer.newFigures + answer.digits >= 1;
    const isRich = answer.content >= MIN_RICH_CONTENT;
    const hasItem = isRich ? input.hasNumbers && isAcknowledgement(answer) : this.#known.hasNewItem;
    const most = hasItem && !this.#known.hasNoncesOnly ? ITEM_DONE : 1;
    const idleness = hasNewAnswer ? 0 : Math.min(most, idlenessOfInput(input, isRich));
    return { deed, idleness, isChange: !isRich, ...outcome, command };
  }

  clear(): void {
    this.#counters.clear();
    this.#known.clear();
  }

  snapshot(): JsonValue {
    return { counters: this.#counters.snapshot(), known: this.#known.snapshot() };
  }

  /** @throws {@link InvalidSnapshotError} */
  restore(path: string, snapshot: unknown): void {
    const { counters, known } = restoredRecord(path, snapshot);
    this.#counters.restore(`${path}.counters`, counters);
    this.#known.restore(`${path}.known`, known);
  }

  /** Roughly how many tokens the JSON has that was read last, `isAll` of it or not. */
  #tokensOf(value: JsonValue, isAll: boolean): number {
    const { json } = this.#memory;
    return isAll && json.isWhole ? json.tokens : estimateTokens(JSON.stringify(value));
  }

  /** Reads the arguments and gives their fingerprint: without what counts the calls, if there is a text as well. */
  #readArguments(tool: number, args: JsonValue, asking: Asking): number {
    const { reader, json } = this.#memory;
    const { ignored, counted } = asking;
    const hash = this.#known.readAsk(tool, args, asking);
    if (counted.size === 0 || reader.count - reader.numbers.length < MIN_TEXT_TOKENS) return hash;
    this.#memory.take();
    reader.clear();
    return json.read(without(args, counted), { ...PLAIN, ignored });
  }
}

interface Input {
  readonly weight: number;
  readonly content: number;
  readonly share: number;
  readonly hasFigures: boolean;
  /** The same, or numbers of one digit. */
  readonly hasNumbers: boolean;
}

/** How idle a call is whose answer was nothing new, by what was asked. */
function idlenessOfInput(input: Input, isRich: boolean): number {
  const { weight, content, share, hasFigures } = input;
  if (isRich) return Math.max(0, 1 - weight / WORDS_FOR_KNOWN_RESULT);
  if (weight > 0 && content < MIN_TEXT_TOKENS) return 0;
  if (hasFigures || weight >= NEW_INPUT_WORDS || share >= NEW_INPUT_SHARE) return 0;
  return Math.max(MIN_IDLENESS, 1 - weight / WORDS_FOR_ACKNOWLEDGED);
}
