import type { CodeResult } from '@teamfuse/code-executors';
import { z } from 'zod';
import type { JsonObject } from '../../base/json.ts';
import { validate } from '../../base/validate.ts';
import { type MessageFields, messageFields, messageJson } from '../base-message.ts';
import { BaseAgentEvent } from './agent-event.ts';

/** Constructor fields of {@link CodeExecutionEvent}. */
export interface CodeExecutionFields extends MessageFields {
  /** Zero for the first attempt. */
  readonly retryAttempt: number;
  readonly result: CodeResult;
}

const executionJson = messageJson.extend({
  retry_attempt: z.int(),
  result: z.object({ exit_code: z.int(), output: z.string() }),
});

/** The result of running code written by a model. */
export class CodeExecutionEvent extends BaseAgentEvent {
  static readonly type = 'CodeExecutionEvent';
  readonly type = 'CodeExecutionEvent';
  readonly retryAttempt: number;
  readonly result: CodeResult;

  constructor({ retryAttempt, result, ...fields }: CodeExecutionFields) {
    super(fields);
    this.retryAttempt = retryAttempt;
    this.result = result;
  }

  toText(): string {
    return this.result.output;
  }

  protected dumpFields(): JsonObject {
    const { exitCode, output } = this.result;
    return { retry_attempt: this.retryAttempt, result: { exit_code: exitCode, output } };
  }

  static load(data: unknown): CodeExecutionEvent {
    const { retry_attempt, result, ...json } = validate(
      executionJson,
      data,
      CodeExecutionEvent.type,
    );
    return new CodeExecutionEvent({
      ...messageFields(json),
      retryAttempt: retry_attempt,
      result: { exitCode: result.exit_code, output: result.output },
    });
  }
}
