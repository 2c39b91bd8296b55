import * as kit from '@teamfuse/adapter-kit';
import type { Context, Progress } from '@teamfuse/adapter-kit/language-models';

/** The work of an agent while the guard tests itself. */
export function rehearsed(context: Context, agent: string): Promise<object> {
  const work = async (): Promise<object> => ({});
  return kit.runAgent<object, Progress>(context, {
    agent,
    work,
    textOf: () => undefined,
    rehearsed: {},
  });
}
