/** So many ids at least are known. */
const MAX_IDS = 4_096;

/** The ids that were noted last. */
export class RecentIds {
  /** In two parts, the older of which is dropped when the newer is full. */
  #ids: Set<string> = new Set();
  #before: Set<string> = new Set();

  has(id: string): boolean {
    return this.#ids.has(id) || this.#before.has(id);
  }

  add(id: string): void {
    if (this.#ids.size >= MAX_IDS) {
      this.#before = this.#ids;
      this.#ids = new Set();
    }
    this.#ids.add(id);
  }
}
