import type { ChatCompletionContext } from '../model-context/chat-completion-context.ts';
import type { Memory, MemoryContent } from './memory.ts';

/** Options of {@link ListMemory}. */
export interface ListMemoryOptions {
  /** @defaultValue 'default_list_memory' */
  readonly name?: string;
  /** @defaultValue [] */
  readonly memoryContents?: readonly MemoryContent[];
}

/** Remembers everything in the order it came, and tells the model all of it every turn. */
export class ListMemory implements Memory {
  readonly componentType = 'memory';
  readonly name: string;
  #contents: readonly MemoryContent[];

  constructor({ name = 'default_list_memory', memoryContents = [] }: ListMemoryOptions = {}) {
    this.name = name;
    this.#contents = [...memoryContents];
  }

  /** Everything remembered, oldest first. */
  get contents(): readonly MemoryContent[] {
    return this.#contents;
  }

  async updateContext(context: ChatCompletionContext): Promise<readonly MemoryContent[]> {
    if (this.#contents.length === 0) return [];
    const lines = this.#contents.map(({ content }, index) => `${index + 1}. ${content}`);
    await context.addMessage({
      type: 'SystemMessage',
      content: `\nRelevant memory content (in chronological order):\n${lines.join('\n')}\n`,
    });
    return this.#contents;
  }

  /** Everything, whatever the query: a list has no index. */
  async query(_query: string): Promise<readonly MemoryContent[]> {
    return this.#contents;
  }

  async add(content: MemoryContent): Promise<void> {
    this.#contents = [...this.#contents, content];
  }

  async clear(): Promise<void> {
    this.#contents = [];
  }
}
