/** A clock that stands still until it is told to go on. */
export class Clock {
  at = 1_000;

  readonly now = (): number => this.at;

  /** Lets time pass. */
  pass(ms: number): void {
    this.at += ms;
  }
}
