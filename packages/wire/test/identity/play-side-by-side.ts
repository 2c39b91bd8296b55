import { Threads } from '../../src/identity/threads.ts';
import type { Item } from '../../src/item.ts';
import { mix } from '../support/mix.ts';

/** How recordings are played. */
export interface Playing {
  /** How many conversations run at once. */
  readonly atOnce: number;
  /** The system prompt of a speaker in the request with this number. */
  readonly prompt: (speaker: string, request: number) => string;
  /** What is sent of a history. */
  readonly cut: (history: readonly Item[]) => readonly Item[];
}

const PLAIN: Playing = {
  atOnce: 20,
  prompt: (speaker) => `You are ${speaker}.`,
  cut: (history) => history,
};
/** Speakers of recordings that are no models. */
const NO_MODEL =
  /^(?:user|human|environment|computer_terminal|tool:.*|.*(?:proxy|executor|terminal|admin).*)$/i;

export interface Turn {
  readonly speaker: string;
  readonly content: string;
  readonly toolCalls?: readonly { readonly name: string; readonly args: unknown }[];
}

export interface Recorded {
  readonly turns: readonly Turn[];
}

export interface Played {
  readonly requests: number;
  /** Requests that joined a conversation whose history differs. */
  readonly wrong: number;
  /** Requests that began a conversation that was there already. */
  readonly splits: number;
}

/** Plays conversations as the requests of their models. */
export function play(recordings: readonly Recorded[], playing: Partial<Playing> = {}): Played {
  const { atOnce, prompt, cut } = { ...PLAIN, ...playing };
  let count = 0;
  const threads = new Threads(() => `thread ${count++}`, {
    maxConversations: 1_000,
    maxNodes: 200_000,
  });
  const members = new Map<string, Map<number, number>>();
  let [requests, wrong, splits] = [0, 0, 0];
  for (const { recording, owner, turn } of mix(
    recordings,
    ({ turns }) => turns.length,
    atOnce,
    1,
  )) {
    const { speaker, content } = recording.turns[turn] as Turn;
    if (turn === 0 || NO_MODEL.test(speaker) || typeof content !== 'string') continue;
    requests++;
    const told: Item = { kind: 'text', role: 'system', text: prompt(speaker, requests) };
    const items = [told, ...cut(historyOf(recording, owner, turn, speaker))];
    const request = {
      model: 'm',
      items,
      maxOutputTokens: undefined,
      isStreamed: false,
      previousId: undefined,
    };
    const joined = threads.join(request, { scope: '' });
    joined.ended({
      id: undefined,
      items: itemsOf(recording.turns[turn] as Turn, `${owner} ${turn}`, 'assistant'),
      usage: undefined,
      isComplete: true,
    });
    const here = members.get(joined.conversation) ?? new Map<number, number>();
    members.set(joined.conversation, here);
    if (!here.has(owner) && [...members.values()].some((one) => one.has(owner))) splits++;
    const isWrong = [...here].some(
      ([other, length]) =>
        other !== owner && differs(recordings[other] as Recorded, length, recording, turn),
    );
    if (isWrong) wrong++;
    here.set(owner, turn);
  }
  return { requests, wrong, splits };
}

function historyOf(
  { turns }: Recorded,
  owner: number,
  end: number,
  speaker: string,
): readonly Item[] {
  return turns
    .slice(0, end)
    .flatMap((turn, at) =>
      itemsOf(turn, `${owner} ${at}`, turn.speaker === speaker ? 'assistant' : 'user'),
    );
}

/** What a turn says and calls. A result belongs to the call of the turn before. */
function itemsOf(turn: Turn, id: string, role: 'assistant' | 'user'): readonly Item[] {
  const { speaker: name, toolCalls = [] } = turn;
  const text = String(turn.content ?? '');
  if (name.startsWith('tool:')) {
    return [{ kind: 'result', id, tool: name.slice('tool:'.length), text, isError: false }];
  }
  const calls = toolCalls.map(
    (call, at): Item => ({ kind: 'call', id: `${id} ${at}`, tool: call.name, args: call.args }),
  );
  if (text === '' && calls.length > 0) return calls;
  return [{ kind: 'text', role, name, text }, ...calls];
}

function differs(a: Recorded, aEnd: number, b: Recorded, bEnd: number): boolean {
  const common = Math.min(aEnd, bEnd);
  return a.turns
    .slice(0, common)
    .some(({ content }, i) => words(content) !== words(b.turns[i]?.content));
}

function words(text: unknown): string {
  return String(text ?? '')
    .trim()
    .replace(/\s+/g, ' ');
}
