import type { Signal } from '@teamfuse/core';
import type { Disclosure } from '@teamfuse/core/kit';
import { isTurn } from '../replay/spend.ts';
import { cleanForTerminal } from './clean.ts';

const TASK_LENGTH = 72;
/** Of a longer text the rest is not even looked at. */
const MAX_READ = 4_000;
const NAME_LENGTH = 24;
const MAX_NAMES = 3;
const MAX_COUNTED = 100;
/** How a recorder names its runs: the time, the process, and the number of the breaker. */
const RUN = /^\d{4}-\d\d-\d\dT[\d:.]+Z-\d+(?:#\d+)?\/?/;

/** Finds out what a person would call a conversation: what the team was asked for, and who is in it. */
export class TitleReader {
  readonly #disclosure: Disclosure;
  readonly #agents = new Set<string>();
  #task = '';

  constructor(disclosure: Disclosure) {
    this.#disclosure = disclosure;
  }

  add(signal: Signal): void {
    if (signal.kind === 'human-input') this.#ask(signal.text);
    else if (isTurn(signal) && this.#agents.size < MAX_COUNTED) this.#agents.add(signal.agent);
  }

  /** What the team was asked for first, shortened; empty if nobody asked, or it may not be quoted. */
  get task(): string {
    return this.#task;
  }

  /** The first names of the team; empty without one. */
  get team(): string {
    const all = [...this.#agents];
    const names = all.slice(0, MAX_NAMES).map((agent) => this.#shown(agent, NAME_LENGTH) || '-');
    const more = all.length - names.length;
    return more > 0 ? `${names.join(', ')} and ${more} more` : names.join(', ');
  }

  #ask(text = ''): void {
    if (this.#task === '' && this.#disclosure.hasExcerpts)
      this.#task = this.#shown(text, TASK_LENGTH);
  }

  #shown(text: string, length: number): string {
    const clean = cleanForTerminal(this.#disclosure.redacted(text.slice(0, MAX_READ)))
      .replace(/\s+/g, ' ')
      .trim();
    const characters = [...clean];
    if (characters.length <= length) return clean;
    // Whole words, unless one is as long as all that there is room for.
    const cut = characters.slice(0, length - 1).join('');
    return `${cut.replace(/(?<=.{20}) \S*$/u, '')}…`;
  }
}

/** A conversation in words: its task, or else the name that somebody gave it, or else its team; its id where there is nothing else. */
export function titleOf(id: string, { task, team }: { task: string; team: string }): string {
  return task || id.replace(RUN, '') || team || id;
}
