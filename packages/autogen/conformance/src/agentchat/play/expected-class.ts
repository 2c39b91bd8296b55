import * as agentchat from '@teamfuse/agentchat';
import * as executors from '@teamfuse/code-executors';
import * as models from '@teamfuse/models';
import { VectorModel } from '../script/vector-model.ts';

/** A class that a loaded component must belong to. */
export type ExpectedClass = abstract new (...args: never[]) => object;

const EXPORTS: Readonly<Record<string, unknown>> = {
  ...models,
  ...executors,
  ...agentchat,
  // Protocols of the recorded library, which are types here, and the client that cases have in place of theirs.
  Team: agentchat.BaseGroupChat,
  ChatAgent: agentchat.BaseChatAgent,
  ChatCompletionClient: VectorModel,
  ReplayChatCompletionClient: VectorModel,
};

/** The class that a case names: any class that the shim exports. */
export function expectedClass(name: string): ExpectedClass {
  const found = Object.hasOwn(EXPORTS, name) ? EXPORTS[name] : undefined;
  if (isClass(found)) return found;
  throw new Error(`field 'expect': expected a class that the shim exports, received '${name}'`);
}

function isClass(value: unknown): value is ExpectedClass {
  return typeof value === 'function' && /^class\b/.test(String(value));
}
