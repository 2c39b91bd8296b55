import { z } from 'zod';
import { textOption } from '../base/options.ts';
import { validate } from '../base/validate.ts';
import type { ComponentClass } from '../component/component-loader.ts';
import type { ChatItem } from '../messages/chat-item.ts';
import { ToolCallExecutionEvent } from '../messages/events/tool-call-execution-event.ts';
import { conditionClass, LeafTermination } from './leaf-termination.ts';

const configSchema = z.object({ function_name: z.string() });

/**
 * Stops after a tool of this name was called, successfully or not.
 *
 * @example
 * ```ts
 * const condition = new FunctionCallTermination('approve');
 * const content = [{ name: 'approve', callId: '1', content: 'Approved.' }];
 * const stop = await condition.call([new ToolCallExecutionEvent({ content, source: 'critic' })]);
 * stop?.content; // => "Function 'approve' was executed."
 * ```
 */
export class FunctionCallTermination extends LeafTermination {
  static readonly component: ComponentClass<FunctionCallTermination> = conditionClass(
    'FunctionCallTermination',
    (config) => {
      const { function_name } = validate(configSchema, config, 'FunctionCallTerminationConfig');
      return new FunctionCallTermination(function_name);
    },
  );
  readonly label = 'FunctionCallTermination';
  readonly #functionName: string;

  constructor(functionName: string) {
    super();
    this.#functionName = textOption('functionName', functionName);
  }

  protected judge(messages: readonly ChatItem[]): string | null {
    const isCalled = messages.some(
      (message) =>
        message instanceof ToolCallExecutionEvent &&
        message.content.some(({ name }) => name === this.#functionName),
    );
    return isCalled ? `Function '${this.#functionName}' was executed.` : null;
  }

  protected config(): Record<string, unknown> {
    return { function_name: this.#functionName };
  }
}
