import { Threads } from '../../src/identity/threads.ts';
import type { Item } from '../../src/item.ts';
import { mix } from '../support/mix.ts';

const AT_ONCE = 20;
/** Speakers of recordings that are no models. */
const NO_MODEL =
  /^(?:user|human|environment|computer_terminal|.*(?:proxy|executor|terminal|admin).*)$/i;

export interface Turn {
  readonly speaker: string;
  readonly content: string;
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

/** Plays conversations as the requests of their models, twenty at a time. */
export function play(recordings: readonly Recorded[]): Played {
  let count = 0;
  const threads = new Threads(() => `thread ${count++}`, {
    maxConversations: 1_000,
    maxPlaces: 200_000,
  });
  const members = new Map<string, Map<number, number>>();
  let [requests, wrong, splits] = [0, 0, 0];
  for (const { recording, owner, turn } of mix(
    recordings,
    ({ turns }) => turns.length,
    AT_ONCE,
    1,
  )) {
    const { speaker, content } = recording.turns[turn] as Turn;
    if (turn === 0 || NO_MODEL.test(speaker) || typeof content !== 'string') continue;
    requests++;
    const items = historyOf(recording, turn, speaker);
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
      items: [{ kind: 'text', role: 'assistant', text: content }],
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

function historyOf({ turns }: Recorded, end: number, speaker: string): readonly Item[] {
  const told: Item = { kind: 'text', role: 'system', text: `You are ${speaker}.` };
  const said = turns.slice(0, end).map((turn): Item => {
    const role = turn.speaker === speaker ? 'assistant' : 'user';
    return { kind: 'text', role, name: turn.speaker, text: String(turn.content ?? '') };
  });
  return [told, ...said];
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
