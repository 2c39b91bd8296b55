/** The model of a team's deliveries: which messages each participant has yet to receive. */
export class Mailboxes {
  readonly #due: Map<string, string[]>;

  constructor(names: readonly string[]) {
    this.#due = new Map(names.map((name) => [name, []]));
  }

  /** The messages `name` has to receive in its next turn, in order. */
  due(name: string): readonly string[] {
    return [...(this.#due.get(name) ?? [])];
  }

  /** Addresses a message to every participant but its author. */
  post(text: string, author?: string): void {
    for (const [name, due] of this.#due) if (name !== author) due.push(text);
  }

  /** Removes the messages of a turn that ended with an answer. */
  acknowledge(name: string, count: number): void {
    this.#due.get(name)?.splice(0, count);
  }

  clear(): void {
    for (const due of this.#due.values()) due.length = 0;
  }
}
