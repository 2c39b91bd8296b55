import { untilAborted } from '../../packages/core/src/kit.ts';
import { news } from '../../packages/core/test/simulation/outside.ts';
import type { Op, Party, World } from '../../packages/core/test/simulation/world.ts';
import type {
  ChatCompletionClient,
  CreateOptions,
  CreateResult,
  FunctionCall,
  LLMMessage,
  ModelInfo,
  RequestUsage,
} from '../../packages/models/src/index.ts';

const ABLE: ModelInfo = {
  vision: true,
  functionCalling: true,
  jsonOutput: true,
  structuredOutput: true,
  family: 'gpt-4o',
  multipleSystemMessages: true,
};
const NONE: RequestUsage = { promptTokens: 0, completionTokens: 0 };
const MOST_CHUNKS = 12;

/** A model of the world: it answers in pieces, calls tools, breaks off and hangs. */
export class SimulatedClient implements ChatCompletionClient {
  readonly model = 'model 0';
  readonly modelInfo: ModelInfo = ABLE;
  readonly #world: World;
  readonly #party: Party;
  readonly #mayCallTools: boolean;
  #calls = 0;

  constructor(world: World, party: Party, mayCallTools: boolean) {
    this.#world = world;
    this.#party = party;
    this.#mayCallTools = mayCallTools;
  }

  async create(
    _messages: readonly LLMMessage[],
    options: CreateOptions = {},
  ): Promise<CreateResult> {
    for await (const item of this.#answer(options, () => {})) {
      if (typeof item !== 'string') return item;
    }
    throw new Error('the answer has no end');
  }

  createStream(
    _messages: readonly LLMMessage[],
    options: CreateOptions = {},
  ): AsyncIterable<string | CreateResult> {
    const { books } = this.#world;
    // A piece of an answer is one token at least, and counts wherever the answer ends.
    return this.#answer(options, (pieces) => {
      books.told += pieces;
    });
  }

  async *#answer(
    { signal, tools = [] }: CreateOptions,
    cutOff: (pieces: number) => void,
  ): AsyncGenerator<string | CreateResult, void> {
    const { random } = this.#party;
    const { scheduler, books } = this.#world;
    const op = this.#begin();
    const chunks = 1 + random.below(MOST_CHUNKS);
    const breaksOffAt = random.oneIn(40) ? random.below(chunks) : chunks;
    const hangsAt = random.oneIn(80) ? random.below(chunks) : chunks;
    const text = news(random);
    const calls =
      this.#mayCallTools && tools.length > 0 && random.oneIn(2) ? this.#toolCalls() : [];
    const promptTokens = 10 + random.below(40);
    let pieces = 0;
    try {
      for (let chunk = 0; chunk < chunks; chunk++) {
        const wait =
          chunk === hangsAt ? new Promise<void>(() => {}) : scheduler.pause(random.below(80));
        await untilAborted(wait, signal);
        if (chunk === breaksOffAt) throw new Error('the connection broke off');
        if (calls.length > 0) continue;
        pieces++;
        yield `${chunk === 0 ? text : news(random)} `;
      }
      pieces = 0;
      books.told += promptTokens + chunks;
      yield {
        finishReason: calls.length > 0 ? 'function_calls' : 'stop',
        content: calls.length > 0 ? calls : text,
        usage: { promptTokens, completionTokens: chunks },
        cached: false,
      };
    } finally {
      cutOff(pieces);
      this.#world.end(op, 'left');
    }
  }

  actualUsage(): RequestUsage {
    return NONE;
  }

  totalUsage(): RequestUsage {
    return NONE;
  }

  #begin(): Op {
    // What was left before it was told counts as it was estimated.
    this.#world.books.untold += 1e6;
    const op = this.#world.ask(this.#party, 'model');
    this.#world.begin(op);
    return op;
  }

  #toolCalls(): readonly FunctionCall[] {
    const { random } = this.#party;
    const count = random.oneIn(10) ? 12 : 1 + random.below(2);
    return Array.from({ length: count }, () => ({
      id: `call ${++this.#calls}`,
      name: 'look',
      arguments: JSON.stringify({ item: random.below(1e9) }),
    }));
  }
}

/** A tool of the world. */
export async function look(world: World, party: Party): Promise<string> {
  const op = world.ask(party, 'tool');
  world.begin(op);
  try {
    await world.scheduler.pause(party.random.below(200));
    return news(party.random);
  } finally {
    world.end(op, 'done');
  }
}
