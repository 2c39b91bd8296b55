import type { StreamedPart } from '@teamfuse/core/kit';
import type { Fields } from '../fields.ts';
import type { Item } from '../item.ts';
import type { Path } from '../json-field.ts';

/** A request for an answer of a model, in the terms of all formats. */
export interface WireRequest {
  readonly model: string;
  /** The history, system prompts included. */
  readonly items: readonly Item[];
  readonly maxOutputTokens: number | undefined;
  /** For whom the answer is, as far as the API knows it. */
  readonly user?: string | undefined;
  readonly isStreamed: boolean;
  /** Whether the stream is a list in JSON instead of events. */
  readonly isList?: boolean | undefined;
  /** The project that pays, where the API takes it in the body. */
  readonly project?: string | undefined;
  /** The answer that the request continues, or its conversation, where the server keeps the history. */
  readonly previousId: string | undefined;
  /** A beginning of prompts that the server keeps, which its answers count as cached. */
  readonly cache?: string | undefined;
  /** The conversation that the server keeps, if the request names it. */
  readonly keptAs?: string | undefined;
  /** The session of a coding agent. */
  readonly session?: string | undefined;
}

/** A model's answer, whole or as far as it came. */
export interface WireAnswer {
  /** By which a later request continues it, where the server keeps the history. */
  readonly id: string | undefined;
  readonly items: readonly Item[];
  /** The other answers, where a request asked for several. */
  readonly others?: readonly (readonly Item[])[];
  /** The pieces in which its text came, if a history may hold them apart. */
  readonly pieces?: readonly string[];
  /** What of it `readUsage` reads: the usage, who answered, and how it is charged. */
  readonly usage: unknown;
  /** Whether the answer is whole. */
  readonly isComplete: boolean;
}

/** A question to a model. */
export interface AskedModel {
  readonly model: string;
  readonly system: string;
  readonly user: string;
  /** The project that pays, where the API takes it in the body. */
  readonly project?: string | undefined;
}

/** What a refusal says. */
export interface Refusal {
  readonly model: string;
  readonly text: string;
}

/** Why there is no answer. */
export interface Problem {
  readonly text: string;
  readonly type: string;
  readonly code: string;
  /** The status of HTTP. */
  readonly status: number;
  /** The kind of the trip, if there is one. */
  readonly kind?: string | undefined;
  /** Seconds after which it may be tried again, if waiting helps. */
  readonly retryAfter?: string | undefined;
}

/** A piece of an answer that streams. */
export interface Piece {
  readonly text: string;
  readonly part: StreamedPart;
}

/** Puts an answer together from the events of a stream. */
export interface AnswerReader {
  /** Takes the JSON of one event. */
  add(event: Fields): void;
  /** What has come so far. */
  readonly answer: WireAnswer;
}

/** One API for models: how its requests, answers and streams are read, and how a refusal is written. */
export interface WireFormat {
  readonly id: 'chat-completions' | 'responses' | 'messages' | 'gemini' | 'code-assist';
  /** The end of the paths that it is spoken at, in any case. */
  readonly path: RegExp;
  /** The header that its servers take keys in. */
  readonly keyHeader: string;
  /** The parameter of the query that they take keys in as well. */
  readonly keyParameter?: string | undefined;
  /** Reads the body of a request to an address; `undefined` for one that holds no history. */
  readRequest(body: Fields, url: string): WireRequest | undefined;
  /** Whether several entries of a history may be the pieces of one answer. @defaultValue false */
  readonly isInPieces?: boolean;
  /** What a body asks for beside its history, in the names of Chat Completions, where the API has others. */
  beside?(body: Fields): Fields;
  /** Where a body holds its history, and where the most tokens of its answer. */
  historyAt(body: Fields): Path;
  limitAt(body: Fields): Path;
  /** Whether an entry at the end of a history waits for the model, which may be told something after it. */
  isForModel(entry: Fields): boolean;
  /** An entry of a history with which the user says something. */
  userSays(text: string): object;
  readAnswer(body: Fields): WireAnswer;
  streamReader(): AnswerReader;
  /** What an event of a stream adds to the answer, what the model thinks included. */
  piecesOf(event: Fields): readonly Piece[];
  /** The body of a request that asks a model something, beside all conversations. */
  question(asked: AskedModel): object;
  /** The address for it, where that names the model. @defaultValue that of the conversation */
  questionUrl?(url: string, model: string): string;
  /** The body of an error of the API. */
  error(problem: Problem): object;
  /** The same as the last event of a stream that has begun. */
  errorEvent(problem: Problem): StreamEvent;
  /** An answer of the API whose text says why a call was refused. */
  answer(refusal: Refusal): object;
  /** The same as the events of a stream; those without a name have data alone. */
  answerEvents(refusal: Refusal): readonly StreamEvent[];
}

/** An event of a stream. `data` is sent as JSON, a text as it is. */
export interface StreamEvent {
  readonly event?: string;
  readonly data: object | string;
}
