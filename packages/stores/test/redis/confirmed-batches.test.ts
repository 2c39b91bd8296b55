import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { ConfirmedBatches } from '../../src/redis/confirmed-batches.ts';

interface Confirmation {
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** A server that keeps the order of what it was sent, and confirms when it is told to. */
class Server {
  readonly sent: string[] = [];
  readonly #confirmations: Confirmation[] = [];

  readonly batches: ConfirmedBatches = new ConfirmedBatches(() => {
    this.sent.push('confirm');
    return new Promise((resolve, reject) => this.#confirmations.push({ resolve, reject }));
  });

  send(name: string): Promise<unknown> {
    return this.batches.send(async () => {
      this.sent.push(name);
      return name;
    });
  }

  /** The next question for a confirmation. */
  async next(): Promise<Confirmation> {
    for (;;) {
      const confirmation = this.#confirmations.shift();
      if (confirmation !== undefined) return confirmation;
      await turn();
    }
  }
}

describe('ConfirmedBatches', () => {
  it('[RDS16] sends what is asked during a confirmation together after it', async () => {
    const server = new Server();
    const first = server.send('a');
    const confirmation = await server.next();
    const others = Promise.all([server.send('b'), server.send('c')]);
    confirmation.resolve();
    await first;
    (await server.next()).resolve();
    expect(await others).toEqual(['b', 'c']);
    expect(server.sent).toEqual(['a', 'confirm', 'b', 'c', 'confirm']);
  });

  it('[RDS10] lets no answer count that was not confirmed, and goes on', async () => {
    const server = new Server();
    const both = Promise.allSettled([server.send('a'), server.send('b')]);
    (await server.next()).reject(new Error('0 of 1'));
    expect((await both).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    const again = server.send('a');
    (await server.next()).resolve();
    expect(await again).toBe('a');
  });

  it('[RDS10] tells each caller of its own failure, whether a client throws or rejects', async () => {
    const server = new Server();
    const { batches } = server;
    const failing = batches.send(async () => Promise.reject(new Error('no such script')));
    const throwing = batches.send(() => {
      throw new Error('not connected');
    });
    await expect(failing).rejects.toThrow('no such script');
    await expect(throwing).rejects.toThrow('not connected');
    expect(server.sent).toEqual(['confirm']);
  });
});
