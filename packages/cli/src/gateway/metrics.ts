import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Breaker } from '@teamfuse/core';
import { instrumentBreaker } from '@teamfuse/otel';
import { MeterProvider, PrometheusExporter, PrometheusSerializer } from '../vendor/prometheus.ts';
import { protect, refuse } from '../watch/board-pages.ts';
import { isSame } from '../watch/is-same.ts';
import { isOurs } from './is-ours.ts';

const PATH = '/metrics';
const MISTAKES = 'teamfuse.gateway.mistakes';
const TYPE = 'text/plain; version=0.0.4; charset=utf-8';
const BEARER = /^Bearer +(.+)$/i;

/** What Prometheus reads on the port of a gateway: the measurements of all breakers, by their teams. */
export class Metrics {
  readonly #exporter = new PrometheusExporter({ preventServerStart: true });
  readonly #meterProvider = new MeterProvider({ readers: [this.#exporter] });
  /** It says nothing about the process: the path of Node is nobody's business. */
  readonly #serializer = new PrometheusSerializer(undefined, false, undefined, true, true);
  readonly #mistakes = this.#meterProvider.getMeter('@teamfuse/cli').createCounter(MISTAKES, {
    description: 'Requests that were refused as mistakes of their callers.',
  });
  readonly #token: string | undefined;

  constructor(token: string | undefined) {
    this.#token = token;
    this.#mistakes.add(0);
  }

  /** Where they are, on the gateway. */
  get path(): string {
    return PATH;
  }

  /** Measures a breaker, too. The one of callers without a team has no name. */
  add(breaker: Breaker, team: string): void {
    const attributes = team === '' ? {} : { 'team.name': team };
    instrumentBreaker(breaker, { attributes, meterProvider: this.#meterProvider });
  }

  /** A caller made a mistake. */
  mistaken(): void {
    this.#mistakes.add(1);
  }

  /** Answers what is asked of the measurements; `undefined` for anything else. */
  handle(request: IncomingMessage, response: ServerResponse): Promise<void> | undefined {
    return request.url?.split('?', 1)[0] === PATH ? this.#answer(request, response) : undefined;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    protect(response);
    if (!this.#isLetIn(request)) refuse(response, 403, 'not let in');
    else if (request.method === 'GET') await this.#measure(response);
    else refuse(response.setHeader('allow', 'GET'), 405, 'GET');
  }

  #isLetIn(request: IncomingMessage): boolean {
    const token = this.#token;
    if (!isOurs(request, token)) return false;
    return token === undefined || tokensOf(request).some((given) => isSame(given, token));
  }

  async #measure(response: ServerResponse): Promise<void> {
    try {
      const { resourceMetrics } = await this.#exporter.collect();
      const text = this.#serializer.serialize(resourceMetrics);
      response.writeHead(200, { 'content-type': TYPE }).end(text);
    } catch {
      refuse(response, 500, 'the measurements cannot be collected');
    }
  }
}

/** What a caller gives as the token. Prometheus can send no header of another name than `authorization`. */
function tokensOf({ headers }: IncomingMessage): readonly string[] {
  const [, bearer] = BEARER.exec(headers.authorization ?? '') ?? [];
  return [headers['x-teamfuse-token'], bearer].flatMap((given) => given ?? []);
}
