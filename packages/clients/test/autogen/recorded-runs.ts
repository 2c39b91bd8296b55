import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

const FOLDER = new URL('../../../autogen/conformance/fixtures/groupchat/', import.meta.url);
const GROUP = new URL('../../../wire/test/fixtures/group-chat.jsonl', import.meta.url);
const FILES = ['chats', 'groups', 'nested', 'execution', 'random'];

export type Message = Readonly<Record<string, unknown>>;

/** A call of a model as it was recorded. */
export interface RecordedCall {
  readonly request: { readonly model: string; readonly messages: readonly Message[] };
  /** `undefined` where the model failed. */
  readonly answer: Message | undefined;
  readonly usage: { readonly input: number; readonly output: number };
}

/** A run of AutoGen: what its models were asked, and the histories that its groups and pairs had in the end. */
export interface RecordedRun {
  readonly id: string;
  readonly calls: readonly RecordedCall[];
  readonly histories: readonly (readonly Message[])[];
}

type Row = readonly [role: string | null, name: string | null, content: unknown, more?: Message];
type Answer =
  | string
  | (Message & { readonly usage?: readonly [number, number]; readonly raise?: unknown });

interface Case {
  readonly id: string;
  readonly llm?: Readonly<Record<string, readonly Answer[]>>;
  readonly expect: {
    readonly trace: readonly {
      readonly ev: string;
      readonly model: string;
      readonly request: readonly Row[];
    }[];
    readonly trace_truncated?: boolean;
    readonly state?: {
      readonly agents?: Readonly<
        Record<string, { readonly chats?: Readonly<Record<string, readonly Row[]>> }>
      >;
      readonly groups?: Readonly<Record<string, readonly Row[]>>;
    };
  };
}

/** The runs whose agents asked a model. */
export function recordedRuns(): readonly RecordedRun[] {
  return FILES.flatMap((file) => {
    const text = gunzipSync(readFileSync(new URL(`${file}.jsonl.gz`, FOLDER))).toString();
    const cases = text
      .trim()
      .split('\n')
      .map((line): Case => JSON.parse(line));
    return cases.filter(({ expect }) => !expect.trace_truncated).map(runOf);
  }).filter(({ calls }) => calls.length > 0);
}

function runOf({ id, llm = {}, expect }: Case): RecordedRun {
  const asked = new Map<string, number>();
  const calls = expect.trace
    .filter(({ ev }) => ev === 'llm')
    .map(({ model, request }): RecordedCall => {
      const at = asked.get(model) ?? 0;
      asked.set(model, at + 1);
      const messages = request.map(messageOf);
      return { request: { model: MODEL, messages }, ...answerOf(llm[model]?.[at]) };
    });
  const { agents = {}, groups = {} } = expect.state ?? {};
  const chats = Object.values(agents).flatMap(({ chats = {} }) => Object.values(chats));
  const histories = [...Object.values(groups), ...chats].map((rows) => rows.map(messageOf));
  return { id, calls, histories };
}

/** A run of a group as AutoGen sent it: the requests are the real ones, and the history is that of its last choice of a speaker. */
export function recordedGroup(): RecordedRun {
  const lines = readFileSync(GROUP, 'utf8').trim().split('\n');
  const all = lines.map((line): Sent => JSON.parse(line));
  const calls = all.map(({ request, answer: { choices, usage } }): RecordedCall => {
    const tokens = { input: usage.prompt_tokens, output: usage.completion_tokens };
    return { request, answer: choices[0].message, usage: tokens };
  });
  const chosen = all.filter(({ agent }) => agent === 'speaker_selection_agent');
  const history = withoutSystem(chosen.at(-1)?.request.messages ?? []);
  return { id: 'group', calls, histories: [history] };
}

interface Sent {
  readonly agent: string;
  readonly request: RecordedCall['request'];
  readonly answer: {
    readonly choices: readonly [{ readonly message: Message }];
    readonly usage: { readonly prompt_tokens: number; readonly completion_tokens: number };
  };
}

const LAPS = 12;

/** The run with its last exchange again and again; `undefined` where this exchange is not one of two texts. */
export function stuck({ id, calls }: RecordedRun): RecordedRun | undefined {
  const last = calls.at(-1);
  const asked = last?.request.messages.at(-1);
  const said = last?.answer;
  if (!last || !said || asked?.role !== 'user' || !isText(asked) || !isText(said)) return undefined;
  const lap = [
    { ...said, name: 'model' },
    { name: 'other', ...asked },
  ];
  const histories = Array.from({ length: LAPS }, (_, i) => [
    ...last.request.messages,
    ...Array.from({ length: i }, () => lap).flat(),
  ]);
  const told = withoutSystem(histories.at(-1) ?? []).map((message) => ({
    name: message.role === 'assistant' ? 'model' : 'other',
    ...message,
  }));
  return {
    id,
    calls: histories.map((messages) => ({ ...last, request: { model: MODEL, messages } })),
    histories: [told],
  };
}

function isText({ content, tool_calls, function_call }: Message): boolean {
  return typeof content === 'string' && tool_calls === undefined && function_call === undefined;
}

function withoutSystem(messages: readonly Message[]): readonly Message[] {
  return messages.filter(({ role }) => role !== 'system');
}

/** One whose price is public. The recorded ones have made-up names. */
const MODEL = 'gpt-4o-mini';

function answerOf(answer: Answer | undefined): Omit<RecordedCall, 'request'> {
  const told = typeof answer === 'string' ? { content: answer } : answer;
  const { usage: [input, output] = [10, 5], raise, ...message } = told ?? { raise: true };
  const isAnswer = raise === undefined;
  return {
    answer: isAnswer ? { role: 'assistant', ...message } : undefined,
    usage: isAnswer ? { input, output } : { input: 0, output: 0 },
  };
}

function messageOf([role, name, content, more]: Row): Message {
  return {
    role: role ?? 'user',
    content: textOf(content),
    ...(name !== null && { name }),
    ...more,
  };
}

/** Of long texts, the digest alone was recorded. */
function textOf(content: unknown): unknown {
  const { sha256 } = Object(content);
  return sha256 === undefined ? content : `text with the digest ${sha256}`;
}
