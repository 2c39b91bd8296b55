/** A request that no guard would let pass: the caller made a mistake. The message is a sentence without its full stop. */
export class CallerMistake extends Error {
  override readonly name = 'CallerMistake';
}
