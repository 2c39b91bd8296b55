import type { SignalInput } from '@teamfuse/core';
import { readJson } from '@teamfuse/core/kit';
import type { News } from '../identity/news.ts';
import { isReadable } from '../json-size.ts';
import { readRun, type ShownCode, shownCode } from '../reading/executions.ts';

/** Reads news of histories as signals. One for each conversation: code stands in one message, and its outcome in the next. */
export class NewsReader {
  #shown: ShownCode = { language: '', code: '' };

  /**
   * The signals of what is new with a request. What is past may have waited, nobody knows how long: what was the same again is
   * told once.
   */
  signalsOf(news: readonly News[]): readonly SignalInput[] {
    const known = new Set<string>();
    return news.flatMap((one) => {
      const signal = this.#read(one);
      if (!one.isPast) return [one.at === undefined ? signal : { ...signal, at: one.at }];
      const key = JSON.stringify({ ...signal, callId: undefined });
      const isAgain = known.has(key);
      known.add(key);
      return isAgain ? [] : [signal];
    });
  }

  #read(news: News): SignalInput {
    const { author: agent, item } = news;
    if (item.kind === 'result') {
      const call = 'call' in news ? news.call : undefined;
      const { id, text, isError, tool } = item;
      return {
        kind: 'tool-call',
        agent,
        tool: call?.tool ?? tool ?? 'unknown',
        args: argsOf(call?.args),
        ...(id !== '' && { callId: id }),
        ...(isError ? { error: { message: text } } : { result: jsonIn(text) }),
      };
    }
    const { text, role } = item;
    const run = readRun(text);
    if (run !== undefined) return { kind: 'execution', agent, ...this.#shown, ...run };
    this.#shown = shownCode(text) ?? this.#shown;
    if ('isTask' in news && news.isTask) {
      return { kind: 'human-input', agent, text, isAutomatic: true };
    }
    return { kind: 'message', agent, text, role };
  }
}

function argsOf(args: unknown): ReturnType<typeof readJson> {
  return typeof args === 'string' ? jsonIn(args) : ((args ?? null) as ReturnType<typeof readJson>);
}

/** The JSON that a text is, or else the text. */
function jsonIn(text: string): ReturnType<typeof readJson> {
  return isReadable(text) ? readJson(text) : text;
}
