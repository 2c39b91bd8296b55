import { setImmediate } from 'node:timers/promises';

/** Runs something and gives the warnings about handoffs it raised, the only ones the vectors record. */
export async function withWarnings<T>(
  run: () => Promise<T>,
): Promise<{ readonly result: T; readonly warnings: readonly string[] }> {
  const warnings: string[] = [];
  const others = process.listeners('warning');
  const listen = ({ message }: Error): void => {
    if (/handoff/i.test(message)) warnings.push(message);
  };
  process.removeAllListeners('warning');
  process.on('warning', listen);
  try {
    const result = await run();
    // Warnings are delivered after the step that raised them.
    await setImmediate();
    return { result, warnings };
  } finally {
    process.off('warning', listen);
    for (const other of others) process.on('warning', other);
  }
}
