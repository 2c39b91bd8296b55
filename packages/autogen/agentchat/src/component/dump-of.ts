import { LocalCommandLineCodeExecutor } from '@teamfuse/code-executors';
import { OpenAIChatCompletionClient, ReplayChatCompletionClient } from '@teamfuse/models';
import { NotImplementedError } from '../base/errors.ts';
import type { Component, ComponentModel } from './component-model.ts';
import { localExecutorModel } from './local-executor.ts';
import { openAIClientModel } from './openai-client.ts';
import { replayClientModel } from './replay-client.ts';

/**
 * Dumps a value that may be a component.
 *
 * @throws {@link NotImplementedError} if it is not.
 */
export function dumpOf(value: object): ComponentModel {
  if ('dumpComponent' in value && typeof value.dumpComponent === 'function') {
    return (value as Component).dumpComponent();
  }
  // The exact class is compared, because the config of a parent class cannot describe a subclass.
  switch (value.constructor) {
    case OpenAIChatCompletionClient:
      return openAIClientModel(value as OpenAIChatCompletionClient);
    case ReplayChatCompletionClient:
      return replayClientModel(value as ReplayChatCompletionClient);
    case LocalCommandLineCodeExecutor:
      return localExecutorModel(value as LocalCommandLineCodeExecutor);
    default:
      throw new NotImplementedError('This component does not support dumping to config');
  }
}
