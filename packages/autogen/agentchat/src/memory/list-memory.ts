import { z } from 'zod';
import { knownOptions } from '../base/options.ts';
import { validate } from '../base/validate.ts';
import type { ComponentClass } from '../component/component-loader.ts';
import {
  type Component,
  type ComponentModel,
  componentModel,
} from '../component/component-model.ts';
import type { ChatCompletionContext } from '../model-context/chat-completion-context.ts';
import type { Memory, MemoryContent } from './memory.ts';

/** Options of {@link ListMemory}. */
export interface ListMemoryOptions {
  /** @defaultValue 'default_list_memory' */
  readonly name?: string | undefined;
  /** @defaultValue [] */
  readonly memoryContents?: readonly MemoryContent[] | undefined;
}

const PROVIDER = 'autogen_core.memory.ListMemory';
const memoryContent = z
  .object({
    content: z.string(),
    mime_type: z.string(),
    metadata: z.record(z.string(), z.json()).nullable().optional(),
  })
  .transform(({ mime_type, ...rest }) => ({ ...rest, mimeType: mime_type }));
const configSchema = z.object({
  name: z.string().nullable().optional(),
  memory_contents: z.array(memoryContent).default([]),
});

/**
 * Stores entries in order, and adds all of them to the model's context every turn.
 *
 * @example
 * ```ts
 * const memory = new ListMemory({ memoryContents: [{ content: 'The user likes tea.' }] });
 * ```
 */
export class ListMemory implements Memory, Component {
  static readonly component: ComponentClass<ListMemory> = {
    provider: PROVIDER,
    load: (config) => {
      const { name, memory_contents } = validate(configSchema, config, 'ListMemoryConfig');
      return new ListMemory({ name: name ?? undefined, memoryContents: memory_contents });
    },
  };
  readonly name: string;
  #contents: readonly MemoryContent[];

  constructor(options: ListMemoryOptions = {}) {
    const names = { name: true, memoryContents: true } as const;
    const { name = 'default_list_memory', memoryContents = [] } = knownOptions(
      'ListMemory',
      options,
      names,
    );
    this.name = name;
    this.#contents = [...memoryContents];
  }

  /** All entries, oldest first. */
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

  /** Returns all entries, because a list has no index. */
  async query(_query: string): Promise<readonly MemoryContent[]> {
    return this.#contents;
  }

  async add(content: MemoryContent): Promise<void> {
    this.#contents = [...this.#contents, content];
  }

  async clear(): Promise<void> {
    this.#contents = [];
  }

  dumpComponent(): ComponentModel {
    return componentModel(
      { provider: PROVIDER, componentType: 'memory' },
      {
        name: this.name,
        memory_contents: this.#contents.map(({ content, mimeType = 'text/plain', metadata }) => ({
          content,
          mime_type: mimeType,
          metadata,
        })),
      },
    );
  }
}
