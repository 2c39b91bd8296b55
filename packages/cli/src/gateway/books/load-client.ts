import { storeProblem } from './store-address.ts';

/** Loads a package that comes with the store and not with this one. @throws {@link InvalidOptionError} that says what to install. */
export async function loadClient<T>(name: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== 'ERR_MODULE_NOT_FOUND' || !message.includes(`'${name}'`)) throw error;
    throw storeProblem(`this store needs the package ${name}: npm install ${name}`);
  }
}
