/** Something said in a history, whatever role it is sent in. */
export interface TextItem {
  readonly kind: 'text';
  readonly role: 'system' | 'user' | 'assistant';
  /** The author, if the request names one. */
  readonly name?: string | undefined;
  readonly text: string;
}

/** A call that a model asked for. */
export interface CallItem {
  readonly kind: 'call';
  readonly id: string;
  /** Which of the calls of its answer that have no id it is, where results name none either. */
  readonly nth?: number;
  readonly tool: string;
  /** The arguments as sent: JSON in a text, or a JSON value. */
  readonly args: unknown;
}

/** What a call came to. */
export interface ResultItem {
  readonly kind: 'result';
  /** The call's id. */
  readonly id: string;
  /** The `nth` of a call without an id. */
  readonly nth?: number;
  readonly text: string;
  readonly isError: boolean;
  /** The tool, if the request names it. */
  readonly tool?: string | undefined;
}

/** One entry of a history: what all formats are read into. */
export type Item = TextItem | CallItem | ResultItem;
