/** A clock that stands still unless it is moved. */
export class Clock {
  #seconds = 0;

  advance(seconds: number): void {
    this.#seconds += seconds;
  }

  /** In milliseconds. */
  readonly now = (): number => this.#seconds * 1000;
}
