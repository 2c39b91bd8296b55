import type { Attempt } from '@teamfuse/adapter-kit';
import { isExecutor, isModelClient, isWorkbench } from '../taps/shapes.ts';

/** Ways past the tap of a member. Should one be open, an aborted signal keeps what is behind it from working. */
export function attempts(target: object, member: string, tap: unknown): readonly Attempt[] {
  // The turn around it was admitted: a person may be asked.
  if (member === 'inputFunc') return [];
  const options = { signal: AbortSignal.abort() };
  if (typeof tap === 'function') {
    const given = member.startsWith('onMessages') ? [[], options] : [options];
    return [async () => drain(await Reflect.apply(tap, target, given))];
  }
  return [tap].flat().flatMap((part: unknown): Attempt[] => {
    if (isModelClient(part, member)) {
      const { createStream } = part;
      const streamed = createStream && [() => drain(createStream([], options))];
      return [() => part.create([], options), ...(streamed ?? [])];
    }
    if (isWorkbench(part)) return [() => part.callTool('self-test', {}, options)];
    return isExecutor(part) ? [() => part.executeCodeBlocks([], options)] : [];
  });
}

/** Reads a stream to its end; anything else is left as it is. */
export async function drain(value: unknown): Promise<void> {
  if (!(Symbol.asyncIterator in Object(value))) return;
  for await (const _ of value as AsyncIterable<unknown>);
}
