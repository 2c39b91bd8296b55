import type { CodeBlock } from '@teamfuse/code-executors';
import { z } from 'zod';
import type { JsonObject } from '../../base/json.ts';
import { validate } from '../../base/validate.ts';
import { messageFields, messageJson } from '../base-message.ts';
import type { TextFields } from '../chat/chat-message.ts';
import { BaseTextEvent } from './agent-event.ts';

/** Constructor fields of {@link CodeGenerationEvent}. */
export interface CodeGenerationFields extends TextFields {
  /** Zero for the first attempt. */
  readonly retryAttempt: number;
  readonly codeBlocks: readonly CodeBlock[];
}

const generationJson = messageJson.extend({
  content: z.string(),
  retry_attempt: z.int(),
  code_blocks: z.array(z.object({ code: z.string(), language: z.string() })),
});

/** Code written by a model, before it runs. */
export class CodeGenerationEvent extends BaseTextEvent {
  static readonly type = 'CodeGenerationEvent';
  readonly type = 'CodeGenerationEvent';
  readonly retryAttempt: number;
  readonly codeBlocks: readonly CodeBlock[];

  constructor({ retryAttempt, codeBlocks, ...fields }: CodeGenerationFields) {
    super(fields);
    this.retryAttempt = retryAttempt;
    this.codeBlocks = codeBlocks;
  }

  protected override dumpFields(): JsonObject {
    return {
      retry_attempt: this.retryAttempt,
      content: this.content,
      code_blocks: this.codeBlocks.map(({ code, language }) => ({ code, language })),
    };
  }

  static load(data: unknown): CodeGenerationEvent {
    const { content, retry_attempt, code_blocks, ...json } = validate(
      generationJson,
      data,
      CodeGenerationEvent.type,
    );
    return new CodeGenerationEvent({
      ...messageFields(json),
      content,
      retryAttempt: retry_attempt,
      codeBlocks: code_blocks,
    });
  }
}
