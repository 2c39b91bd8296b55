import { randomUUID } from 'node:crypto';
import { chown, open, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { namesLike, UUID } from '../lock/lock-file.ts';

const MODE = 0o600;
const ID = new RegExp(`^${UUID}$`);

/**
 * Puts a text in place of a file, in one step. Its owner stays. One process at a time may do
 * that: drafts of others are those of processes that were killed, and are removed.
 */
export async function replaceFile(file: string, text: string): Promise<void> {
  const [folder, beginning] = [dirname(file), `${basename(file)}.draft-`];
  for (const name of namesLike(beginning, ID, folder))
    await rm(join(folder, name), { force: true });
  const draft = join(folder, beginning + randomUUID());
  try {
    const written = await open(draft, 'wx', MODE);
    try {
      await written.writeFile(text);
      await written.sync();
    } finally {
      await written.close();
    }
    const before = await stat(file).catch(() => undefined);
    // Only a privileged process may do that, and no other one needs to.
    if (before !== undefined) await chown(draft, before.uid, before.gid).catch(() => {});
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
