/** An invented framework: parcels travel down a line of workers, and tokens go to whoever watches. */

export interface Parcel {
  readonly from: string;
  readonly text: string;
}
export type Want = { readonly tool: string; readonly args: object };
export type Took = { readonly inputTokens: number; readonly outputTokens: number };
/** A piece of an answer: some text, a tool that the engine wants, or what the answer took. */
export type Token = { text: string } | { want: Want } | { took: Took };
export type Thought = { text: string; wants: Want[]; took: Took | undefined };
export interface Engine {
  readonly id: string;
  stream(prompt: readonly Parcel[], signal?: AbortSignal): AsyncIterable<Token>;
}
export type Tools = Record<string, (args: object, signal?: AbortSignal) => Promise<string>>;
export type Block = { readonly language: string; readonly code: string };
export interface Machine {
  approve(): Promise<void>;
  execute(block: Block, signal?: AbortSignal): Promise<{ exitCode: number; output: string }>;
}
/** The parcels so far, where tokens go, and the signal that ends the run. */
export interface Job {
  readonly parcels: readonly Parcel[];
  readonly tokens?: EventQueue<Token> | undefined;
  readonly signal?: AbortSignal | undefined;
}

export type Delivery = { readonly parcels: readonly Parcel[]; readonly outcome: string };

/** Events in the order in which they came, for one reader, who waits for the next. */
export class EventQueue<T> implements AsyncIterable<T> {
  readonly #events: T[] = [];
  #wake: () => void = () => undefined;

  push(...events: readonly T[]): void {
    this.#events.push(...events);
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    for (;;) {
      while (this.#events.length > 0) yield this.#events.shift() as T;
      await new Promise<void>((wake) => (this.#wake = wake));
    }
  }
}

export abstract class Worker<Gear extends object = object> {
  readonly name: string;
  readonly gear: Gear;

  constructor(name: string, gear: Gear) {
    this.name = name;
    this.gear = gear;
  }

  abstract handle(job: Job): Promise<string>;
}

export class Announcer extends Worker<{ announce(): Promise<string> }> {
  handle = (): Promise<string> => this.gear.announce();
}

export class Clerk extends Worker<{ ask(signal?: AbortSignal): Promise<string> }> {
  handle = ({ signal }: Job): Promise<string> => this.gear.ask(signal);
}

export class Runner extends Worker<Machine> {
  async handle({ parcels, signal }: Job): Promise<string> {
    const block = /```(?<language>\w+)\n(?<code>.*?)\n```/s.exec(parcels.at(-1)?.text ?? '');
    const { language = '', code = '' } = block?.groups ?? {};
    await this.gear.approve();
    return (await this.gear.execute({ language, code }, signal)).output;
  }
}

export class Thinker extends Worker<{ engine: Engine; tools: Tools }> {
  async handle({ parcels, tokens, signal }: Job): Promise<string> {
    const prompt = [...parcels];
    for (;;) {
      const { text, wants } = await this.think(prompt, tokens, signal);
      if (wants.length === 0) return text;
      for (const { tool, args } of wants) {
        const result = await this.gear.tools[tool]?.(args, signal).catch(String);
        prompt.push({ from: tool, text: result ?? 'there is no such tool' });
      }
    }
  }

  /** Hands each token on as it comes, and gives the answer once it is whole. */
  async think(
    prompt: readonly Parcel[],
    tokens?: EventQueue<Token>,
    signal?: AbortSignal,
  ): Promise<Thought> {
    const thought: Thought = { text: '', wants: [], took: undefined };
    for await (const token of this.gear.engine.stream(prompt, signal)) {
      tokens?.push(token);
      if ('text' in token) thought.text += token.text;
      else if ('want' in token) thought.wants.push(token.want);
      else thought.took = token.took;
    }
    return thought;
  }
}

/** Each parcel that arrives goes to the next worker in line; a pipeline may be a worker of another. */
export class Pipeline extends Worker<{ workers: readonly Worker[]; hops: number }> {
  async run(task: string, tokens?: EventQueue<Token>, signal?: AbortSignal): Promise<Delivery> {
    const { workers, hops } = this.gear;
    const parcels: Parcel[] = [];
    const line = new EventQueue<Parcel>();
    line.push({ from: 'sender', text: task });
    for await (const parcel of line) {
      const worker = workers[parcels.length % workers.length];
      parcels.push(parcel);
      if (parcels.length > hops || !worker) break;
      line.push({ from: worker.name, text: await worker.handle({ parcels, tokens, signal }) });
    }
    return { parcels, outcome: 'delivered' };
  }

  async handle({ parcels, tokens, signal }: Job): Promise<string> {
    const inner = await this.run(parcels.at(-1)?.text ?? '', tokens, signal);
    return inner.parcels.at(-1)?.text ?? '';
  }
}
