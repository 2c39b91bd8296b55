import { hashText, hashWords, mixHash } from '../../common/hash.ts';
import type { ToolCallRequest } from '../../signal/request.ts';
import type { ExecutionSignal, ToolCallSignal } from '../../signal/signal.ts';
import type { Failure, SignalFeatures } from '../analyzed-signal.ts';
import { readOutcome } from '../failures/failure.ts';
import {
  type AskHash,
  askOf,
  type ChannelHash,
  type CommandHash,
  commandOf,
  keyOf,
  type StepKey,
} from '../hashes.ts';
import { KNOWN_OUTCOME } from '../judgement.ts';
import type { Memory } from '../steps/memory.ts';
import { type Novelty, stalenessOf } from '../steps/outcomes.ts';
import { estimateTokens } from '../text/token-estimate.ts';
import { type CheckedTool, type CheckedTools, declaredBy } from './tool-options.ts';

const RUN = 1;

/** The features of a call or run. */
export interface CallReading extends SignalFeatures {
  readonly command: CommandHash;
  readonly key: StepKey;
  /** Estimated tokens that it adds to the history. */
  readonly tokens: number;
}

/** A call that is asked for. */
export interface Ask {
  /** The {@link CallReading.command} of the call. */
  readonly command: CommandHash;
  readonly key: AskHash;
  readonly polls: CheckedTool['polls'];
}

/** What the tool of a call declares, and whether that gives the call a key. */
interface Declared {
  readonly declared?: CheckedTool | undefined;
  readonly isKeyed?: boolean;
}

/** Reads calls and runs. Requests are compared literally, outcomes without times, durations and random ids. */
export class CallReader {
  readonly #memory: Memory;
  readonly #tools: CheckedTools;
  readonly #volatileFields: ReadonlySet<string>;

  constructor(memory: Memory, tools: CheckedTools, volatileFields: readonly string[]) {
    this.#memory = memory;
    this.#tools = tools;
    this.#volatileFields = new Set(volatileFields);
  }

  /** Who asks what. Changes nothing. */
  askOf({ agent, tool, args }: ToolCallRequest): Ask {
    const declared = declaredBy(this.#tools, tool);
    const ignored = declared?.volatileFields ?? this.#volatileFields;
    const asked = declared?.loopKey?.(args) ?? args;
    const literal = this.#memory.json.literalOf(asked, ignored);
    const command = commandOf(channelOf(tool), literal);
    return { command, key: askOf(agent, command), polls: declared?.polls };
  }

  /** A call that the breaker has refused. It tells nothing, and its words are known. */
  readRefused(signal: ToolCallSignal): CallReading {
    const { command, key: ask } = this.askOf(signal);
    const { agent, tool } = signal;
    return {
      action: { type: 'called', subject: tool },
      step: { agent, isAct: true, tool, ask, key: ask, isRefused: true },
      command,
      key: ask,
      staleness: 1,
      tokens: estimateTokens(JSON.stringify(signal.args)),
    };
  }

  readCall(signal: ToolCallSignal): CallReading {
    const { json, reader } = this.#memory;
    const declared = declaredBy(this.#tools, signal.tool);
    const ignored = declared?.volatileFields ?? this.#volatileFields;
    const channel = channelOf(signal.tool);
    const loopKey = declared?.loopKey?.(signal.args);
    // The user's function may have used the shared reader through another conversation.
    reader.clear();
    json.read(loopKey ?? signal.args, ignored);
    let tokens = loopKey === undefined ? json.tokens : estimateTokens(JSON.stringify(signal.args));
    const command = commandOf(channel, json.literal);
    this.#ask();
    json.read(signal.result ?? signal.error?.message ?? null, ignored);
    tokens += json.tokens;
    const outcome = json.masked;
    const isKeyed = loopKey !== undefined;
    return { ...this.#compare(signal, channel, command, outcome, { declared, isKeyed }), tokens };
  }

  readRun(signal: ExecutionSignal): CallReading {
    const { reader } = this.#memory;
    const { code, language, output, exitCode } = signal;
    reader.read(code);
    const channel = mixHash(RUN, hashText(language)) as ChannelHash;
    const command = commandOf(channel, hashWords(code, 0, code.length));
    this.#ask();
    reader.read(output);
    const outcome = mixHash(reader.literal, exitCode ?? -1);
    const tokens = estimateTokens(output);
    return { ...this.#compare(signal, channel, command, outcome), tokens };
  }

  /** Learns the words of the request, and clears the reader for the outcome. */
  #ask(): void {
    const { reader, sketch } = this.#memory;
    sketch.draw(reader);
    this.#memory.take();
    reader.clear();
  }

  #compare(
    signal: ToolCallSignal | ExecutionSignal,
    channel: ChannelHash,
    command: CommandHash,
    said: number,
    { declared, isKeyed = false }: Declared = {},
  ): Omit<CallReading, 'tokens'> {
    const memory = this.#memory;
    const { agent } = signal;
    const { content } = memory.take();
    const tool = signal.kind === 'tool-call' ? signal.tool : '';
    const read = readOutcome(signal, command, declared);
    const { failure } = read;
    const outcome = failure?.fingerprint || said;
    const ask = askOf(agent, command);
    const key = keyOf(ask, outcome);
    // A refused call has no outcome; with a declared key, it counts if it was made.
    const wasMade = isKeyed ? !isUnmade(signal) : failure?.isRefusal !== true;
    const step = { agent, isAct: true, tool, ask, key, isPatient: !failure };
    const own = mixHash(hashText(agent), channel) as ChannelHash;
    const novelty = memory.outcomes.take(own, ask, said, memory.turn);
    const staleness = failure ? this.#stalenessOf(failure, novelty) : stalenessOf(novelty, content);
    const { sameness, recurrence } = memory.history(agent).compare(channel, key, memory.sketch);
    return {
      action:
        signal.kind === 'execution'
          ? { type: 'ran', subject: signal.language }
          : { type: 'called', subject: signal.tool },
      step: !wasMade ? undefined : isKeyed ? { ...step, key: ask, isPatient: false } : step,
      command,
      key,
      staleness,
      sameness,
      recurrence,
      hasFact: failure === undefined,
      ...read,
    };
  }

  #stalenessOf(failure: Failure, novelty: Novelty): number {
    // A person may say no to one call after another.
    if (failure.isRejected && novelty !== 'none') return KNOWN_OUTCOME;
    if (failure.isRefusal) return 1;
    const staleness = this.#memory.failureStaleness(failure);
    // What fails alike may have come further.
    return novelty === 'moved' ? Math.min(staleness, KNOWN_OUTCOME) : staleness;
  }
}

function isUnmade(signal: ToolCallSignal | ExecutionSignal): boolean {
  return signal.kind === 'tool-call' && signal.executed === false;
}

function channelOf(tool: string): ChannelHash {
  return hashText(tool) as ChannelHash;
}
