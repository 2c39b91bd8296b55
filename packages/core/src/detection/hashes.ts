import { hashText, mixHash } from '../common/hash.ts';
import { type Codec, number } from '../state/codec.ts';

declare const of: unique symbol;

/** A hash of one kind of thing, which cannot stand for another. */
type Hash<Kind> = number & { readonly [of]: Kind };

/** Equal for steps whose outcomes are compared, such as the calls of one tool. */
export type ChannelHash = Hash<{ readonly channel: true }>;

/** Equal for identical calls or code, whoever asks, and whatever the outcome; 0 if it is unknown. */
export type CommandHash = Hash<{ readonly command: true }>;

/** Equal for identical steps of one agent, with the same outcome if they have any. */
export type StepKey = Hash<{ readonly step: true }>;

/** Equal for the same request by the same agent, whatever its outcome. It is the key of a step that has none; 0 if nothing was asked. */
export type AskHash = Hash<{ readonly step: true; readonly ask: true }>;

export const UNKNOWN: CommandHash = 0 as CommandHash;
export const NOTHING_ASKED: AskHash = 0 as AskHash;

/** Writes hashes of one kind. */
export function hashes<H extends number>(): Codec<H> {
  return number as Codec<number> as unknown as Codec<H>;
}

export function commandOf(channel: ChannelHash, request: number): CommandHash {
  return mixHash(channel, request) as CommandHash;
}

export function askOf(agent: string, command: CommandHash): AskHash {
  return mixHash(hashText(agent), command) as AskHash;
}

export function keyOf(ask: AskHash, outcome: number): StepKey {
  return mixHash(ask, outcome) as StepKey;
}
