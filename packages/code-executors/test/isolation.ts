import { LocalCommandLineCodeExecutor } from '../src/index.ts';

/** Whether this system lets programs run in a namespace of their own. */
export const canIsolate: boolean = await (async () => {
  await using executor = new LocalCommandLineCodeExecutor({ isolation: 'required' });
  const run = executor.executeCodeBlocks([{ language: 'sh', code: ':' }]);
  return await run.then(
    () => true,
    () => false,
  );
})();

/** The ways of running programs that this system has. */
export const isolations: readonly ('required' | 'none')[] = canIsolate
  ? ['required', 'none']
  : ['none'];
