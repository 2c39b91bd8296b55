import { type ChatCompletionRequest, LLMock } from '@copilotkit/aimock';
import {
  OpenAIChatCompletionClient,
  type OpenAIChatCompletionClientOptions,
} from '../../src/index.ts';

type Fixture = Parameters<LLMock['addFixture']>[0];
type ResponseFactory = Extract<Fixture['response'], (...args: never) => unknown>;

/** A real HTTP server on the loopback that answers one model as a test says. */
export class ModelServer implements AsyncDisposable {
  readonly #mock: LLMock;

  private constructor(mock: LLMock) {
    this.#mock = mock;
  }

  static async start(
    response: Fixture['response'],
    options: Omit<Fixture, 'match' | 'response'> = {},
  ): Promise<ModelServer> {
    const mock = new LLMock({ port: 0, host: '127.0.0.1' });
    mock.addFixture({ match: { endpoint: 'chat' }, response, ...options });
    await mock.start();
    return new ModelServer(mock);
  }

  get url(): string {
    return `${this.#mock.url}/v1`;
  }

  /** The bodies of all requests so far. */
  get requests(): readonly ChatCompletionRequest[] {
    return this.#mock.getRequests().map(({ body }) => body as ChatCompletionRequest);
  }

  get last(): ChatCompletionRequest {
    const request = this.requests.at(-1);
    if (request === undefined) throw new Error('no request has been made');
    return request;
  }

  client(options: Partial<OpenAIChatCompletionClientOptions> = {}): OpenAIChatCompletionClient {
    return new OpenAIChatCompletionClient({
      model: 'gpt-4o',
      baseURL: this.url,
      apiKey: 'none',
      ...options,
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#mock.stop();
  }
}

/** Answers with each of `responses` in turn, then with the last again and again. */
export function inTurn(...responses: Awaited<ReturnType<ResponseFactory>>[]): ResponseFactory {
  let next = 0;
  return () => {
    const response = responses[Math.min(next, responses.length - 1)];
    next += 1;
    if (response === undefined) throw new Error('no response given');
    return response;
  };
}
