type Step<T> = { readonly at: number; readonly result: IteratorResult<T, void> };

/**
 * Runs generators at the same time and yields their items as they arrive.
 *
 * The first error ends all: `abort` is called, and the error is thrown after the pending steps have ended.
 */
export function mergeStreams<T>(
  generators: readonly AsyncGenerator<T, void>[],
  abort: () => void,
): AsyncGenerator<T, void> {
  const [first] = generators;
  return first !== undefined && generators.length === 1 ? first : merged(generators, abort);
}

async function* merged<T>(
  generators: readonly AsyncGenerator<T, void>[],
  abort: () => void,
): AsyncGenerator<T, void> {
  const step = async (generator: AsyncGenerator<T, void>, at: number): Promise<Step<T>> => ({
    at,
    result: await generator.next(),
  });
  const pending = new Map(generators.map((generator, at) => [at, step(generator, at)]));
  let isComplete = false;
  try {
    while (pending.size > 0) {
      const { at, result } = await Promise.race(pending.values());
      const generator = generators[at];
      if (result.done === true || generator === undefined) {
        pending.delete(at);
      } else {
        pending.set(at, step(generator, at));
        yield result.value;
      }
    }
    isComplete = true;
  } finally {
    if (!isComplete) {
      abort();
      await Promise.allSettled(pending.values());
      await Promise.allSettled(generators.map((generator) => generator.return()));
    }
  }
}
