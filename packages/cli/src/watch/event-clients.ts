import type { ServerResponse } from 'node:http';
import type { ShownConversation, ShownTotals } from './board.ts';

const MAX_CLIENTS = 16;
/** A page that is so far behind is cut off; it comes back by itself, and then gets all at once. */
const MAX_WAITING_BYTES = 4 * 1024 * 1024;

/** The open pages, which receive server-sent events. */
export class EventClients {
  readonly #open = new Set<ServerResponse>();

  /** Adds a page and sends it the whole state; `false` if there is no room. */
  add(response: ServerResponse, all: readonly ShownConversation[], totals: ShownTotals): boolean {
    if (this.#open.size >= MAX_CLIENTS) return false;
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
    this.#open.add(response);
    response.on('close', () => this.#open.delete(response));
    response.on('error', () => response.destroy());
    response.write(eventOf('all', all) + eventOf('totals', totals));
    return true;
  }

  send(changed: readonly ShownConversation[], totals: ShownTotals): void {
    const news = changed.length > 0 ? eventOf('changed', changed) : '';
    const event = news + eventOf('totals', totals);
    for (const response of this.#open) {
      if (response.writableLength > MAX_WAITING_BYTES) response.destroy();
      else response.write(event);
    }
  }

  close(): void {
    for (const response of this.#open) response.end();
  }
}

/** JSON has no line breaks, and so is one line of an event. */
function eventOf(name: string, data: readonly ShownConversation[] | ShownTotals): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}
