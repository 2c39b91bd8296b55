type Step<TItem, TResult> = {
  readonly index: number;
  readonly result: IteratorResult<TItem, TResult>;
};

/**
 * Runs generators at the same time, yields their items as they arrive, and returns their results in order.
 *
 * The first error ends all: the other generators are closed without waiting for them.
 */
export async function* concurrently<TItem, TResult>(
  tasks: readonly AsyncGenerator<TItem, TResult>[],
): AsyncGenerator<TItem, readonly TResult[]> {
  const results: TResult[] = [];
  const advance = async (
    task: AsyncGenerator<TItem, TResult>,
    index: number,
  ): Promise<Step<TItem, TResult>> => ({ index, result: await task.next() });
  const pending = new Map(tasks.map((task, index) => [index, advance(task, index)]));
  try {
    while (pending.size > 0) {
      const { index, result } = await Promise.race(pending.values());
      const task = tasks[index];
      if (result.done === true || task === undefined) {
        results[index] = result.value as TResult;
        pending.delete(index);
      } else {
        pending.set(index, advance(task, index));
        yield result.value;
      }
    }
    return results;
  } finally {
    for (const [index, step] of pending) {
      // Errors of a generator that is being closed have no receiver.
      step.catch(() => undefined);
      tasks[index]?.return(undefined as TResult).catch(() => undefined);
    }
  }
}
