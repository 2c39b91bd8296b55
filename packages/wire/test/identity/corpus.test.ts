import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { Threads } from '../../src/identity/threads.ts';
import type { Item } from '../../src/item.ts';
import { mix } from '../support/mix.ts';

const CORPUS = fileURLToPath(new URL('../../../../../shared/corpus', import.meta.url));
const AT_ONCE = 20;
/** Every how many recordings one is played; 1 takes two minutes. */
const SHARE = Number(process.env.WIRE_SHARE ?? 10);
/** Speakers of recordings that are no models. */
const NO_MODEL =
  /^(?:user|human|environment|computer_terminal|.*(?:proxy|executor|terminal|admin).*)$/i;

interface Turn {
  readonly speaker: string;
  readonly content: string;
}

interface Recorded {
  readonly id: string;
  readonly turns: readonly Turn[];
}

const files = existsSync(CORPUS)
  ? readdirSync(CORPUS).filter((name) => name.endsWith('.jsonl.gz'))
  : [];

test.skipIf(files.length === 0)(
  '[WIRE1] recorded conversations that run side by side are told apart (needs ../shared)',
  () => {
    const table: Record<string, unknown>[] = [];
    let wrong = 0;
    let splits = 0;
    let requests = 0;
    for (const file of files) {
      const counts = play(read(file));
      table.push({ file, ...counts });
      wrong += counts.wrong;
      splits += counts.splits;
      requests += counts.requests;
    }
    console.table(table);
    expect({ wrong, isRare: splits <= requests / 100 }).toEqual({ wrong: 0, isRare: true });
  },
  300_000,
);

function read(file: string): readonly Recorded[] {
  const text = gunzipSync(readFileSync(`${CORPUS}/${file}`)).toString();
  const all = text
    .split('\n')
    .filter(Boolean)
    .map((line): Recorded => JSON.parse(line));
  return all.filter((_, i) => i % SHARE === 0);
}

/** Plays conversations as the requests of their models, {@link AT_ONCE} at a time. */
function play(recordings: readonly Recorded[]): {
  requests: number;
  wrong: number;
  splits: number;
} {
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
