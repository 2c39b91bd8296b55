import { hashText, mixHash } from '../../common/hash.ts';
import type {
  HandoffSignal,
  HumanInputSignal,
  NestedEndSignal,
  NestedStartSignal,
} from '../../signal/signal.ts';
import type { SignalFeatures } from '../analyzed-signal.ts';
import type { AskHash, ChannelHash, StepKey } from '../hashes.ts';
import { ANSWER_MS, ENOUGH_WORDS } from '../judgement.ts';
import type { Memory } from './memory.ts';

const HAND_OVER = 3 as ChannelHash;
const PERSON = 4;

/** Reads what people tell agents, and what agents hand over to others or to nested chats. */
export class InteractionReader {
  readonly #memory: Memory;

  constructor(memory: Memory) {
    this.#memory = memory;
  }

  /** Human input ends everything before. Repeated words without a wait come from a program. */
  readPerson(signal: HumanInputSignal): SignalFeatures {
    const { agent, text = '', decision, waitedMs = 0, isAutomatic = false } = signal;
    const memory = this.#memory;
    memory.reader.read(text, true);
    const { isEdited: isTask } = memory.take();
    const ask = mixHash(mixHash(hashText(agent), memory.reader.exact), PERSON) as AskHash;
    const step = { agent, key: ask };
    if (decision === 'timeout') return { staleness: 1, step };
    const isNew = memory.takeRequest(ask);
    if (!isNew && decision === undefined && waitedMs < ANSWER_MS) return { step };
    // A new task is news, but only a person ends what was before.
    if (isAutomatic) return { staleness: 0, step: { ...step, isTask } };
    memory.forgetSteps();
    return { staleness: 0, isPerson: true };
  }

  readHandOver({ agent, to, text = '' }: HandoffSignal): SignalFeatures {
    const memory = this.#memory;
    const { reader, sketch } = memory;
    reader.read(text, true);
    sketch.draw(reader);
    const { figures, weight } = memory.take();
    const key = mixHash(mixHash(hashText(agent), hashText(to)), reader.exact) as StepKey;
    const { sameness, recurrence } = memory.history(agent).compare(HAND_OVER, key, sketch);
    return {
      action: { type: 'handed-over', subject: to },
      step: { agent, key },
      staleness: figures > 0 ? 0 : Math.max(0, 1 - weight / ENOUGH_WORDS),
      sameness,
      recurrence,
    };
  }

  /** Compares tasks with tasks and results with results: a result repeats the nested chat, but is new outside it. */
  readNested(signal: NestedStartSignal | NestedEndSignal): SignalFeatures {
    const memory = this.#memory;
    const { agent, kind, text } = signal;
    const isTask = kind === 'nested-start';
    // A chat without a task is identified by its name, but for an id that its framework has drawn.
    const isMeant = isTask && text !== undefined;
    memory.reader.read(text ?? (isTask ? signal.chatId : ''), isMeant);
    const news = memory.take();
    const isItem = memory.history(agent).takeMessage(memory.reader);
    const channel = hashText(`${kind} ${agent}`) as ChannelHash;
    const key = mixHash(channel, memory.reader.exact) as AskHash;
    const isNestedNews = memory.outcomes.take(channel, key, 0, memory.turn) !== 'none';
    // A new task alone changes nothing: its result may be the old one.
    const { isLong } = memory.reader;
    const isChange = !isTask && isNestedNews && (isItem || news.figures > 0 || isLong);
    return { isNestedNews, isChange, step: { agent, key } };
  }
}
