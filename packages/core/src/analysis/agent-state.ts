import type { JsonValue } from '../json.ts';
import { type Codec, count, list, number, recordAt, type Stateful } from '../state/codec.ts';
import { AgentHistory } from './agent-history.ts';
import { Frame } from './text/frame.ts';
import type { TextReader } from './text/reader/text-reader.ts';

/** Messages that the next one is compared with for what stands in one place of them. */
const MAX_FRAMES = 3;
const MAX_OLD_CODE = 32;
const NEVER = -1;

/** One agent, as far as its next step is compared with what it did. */
export class AgentState implements Stateful {
  #history: AgentHistory | undefined;
  /** Index of its latest call or run that brought a new result. */
  newResultAt = 0;
  /** Indices of the messages in which it showed code again, with little to say about it. */
  oldCode: readonly number[] = [];
  /** The number with which its latest numbered message began. */
  partNumber: number = NEVER;
  #frames: Frame[] = [];

  /** What it did. Made only for those who do something: of a tool or a nested chat, texts alone are compared. */
  get history(): AgentHistory {
    this.#history ??= new AgentHistory();
    return this.#history;
  }

  /**
   * Whether the text in `reader` is one of the agent's latest with something else in one place; remembers it. In a call,
   * short words count, too.
   */
  isItem(reader: TextReader, countsShort = false): boolean {
    const frame =
      this.#frames.length === MAX_FRAMES ? (this.#frames.shift() as Frame) : new Frame();
    frame.read(reader);
    const isItem = this.#frames.some((before) => before.isRefilledBy(frame, countsShort));
    this.#frames.push(frame);
    return isItem;
  }

  /** Notes a message with code, and gives the indices at which it showed old code before. */
  showCode(index: number, isOld: boolean, staleness: number): readonly number[] {
    const before = isOld && staleness === 0 ? [] : this.oldCode;
    const isAgain = isOld && staleness > 0;
    // New code makes up for one showing of old code: files are edited by opening and changing them in turn.
    this.oldCode = isAgain ? [...before, index].slice(-MAX_OLD_CODE) : before.slice(1);
    return isAgain ? before : [];
  }

  /** How an agent is written in a snapshot and read back. */
  static write(state: AgentState): JsonValue {
    return state.snapshot();
  }

  static read(path: string, json: unknown): AgentState {
    const state = new AgentState();
    state.restore(path, json);
    return state;
  }

  snapshot(): JsonValue {
    const { newResultAt, partNumber } = this;
    const oldCode = [...this.oldCode];
    const frames = this.#frames.map((frame) => frame.snapshot());
    return { newResultAt, oldCode, partNumber, frames, history: this.history.snapshot() };
  }

  restore(path: string, json: unknown): void {
    const state = recordAt(path, json);
    this.newResultAt = count.read(`${path}.newResultAt`, state.newResultAt);
    this.oldCode = list(count, MAX_OLD_CODE).read(`${path}.oldCode`, state.oldCode);
    this.partNumber = number.read(`${path}.partNumber`, state.partNumber);
    this.#frames = [...list(FRAME, MAX_FRAMES).read(`${path}.frames`, state.frames)];
    this.history.restore(`${path}.history`, state.history);
  }
}

const FRAME: Codec<Frame> = {
  write: (frame) => frame.snapshot(),
  read: (path, json) => {
    const frame = new Frame();
    frame.restore(path, json);
    return frame;
  },
};
