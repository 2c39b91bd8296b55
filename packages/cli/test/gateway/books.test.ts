import { describe, expect, it } from 'vitest';
import { loadClient } from '../../src/gateway/books/load-client.ts';
import { storeAddress } from '../../src/gateway/books/store-address.ts';

describe('the store of a gateway', () => {
  it('[GWC14] names the package to install that is missing', async () => {
    const name: string = '@teamfuse/not-there';
    const loading = loadClient(name, () => import(name));
    await expect(loading).rejects.toThrow(
      "option '--store': this store needs the package @teamfuse/not-there: npm install @teamfuse/not-there",
    );
  });

  it('[GWC14] is told of what is wrong within the package', async () => {
    const broken = async (): Promise<never> => {
      throw new SyntaxError('no such token');
    };
    await expect(loadClient('redis', broken)).rejects.toThrow(SyntaxError);
  });

  it.each([
    ['redis://ann:hush@host:7000/2?password=hush', 'redis', 'redis://host:7000/2'],
    ['rediss://:hush@host', 'redis', 'rediss://host'],
    ['postgres://ann:hush@host/db?password=hush', 'postgres', 'postgres://host/db'],
    ['postgresql:///db?host=/run&password=hush', 'postgres', 'postgresql:///db'],
    ['books.db', 'sqlite', 'books.db'],
    ['/var/lib/books.db', 'sqlite', '/var/lib/books.db'],
    ['C:\\books.db', 'sqlite', 'C:\\books.db'],
  ])('[GWC14] is shown without a user, a password and options: %s', (address, kind, shown) => {
    expect(storeAddress(address)).toEqual({ kind, address, shown });
  });

  it.each(['redis://ann:4/hush@host', 'redis://:hu/sh@host', 'postgres://ann:hu#sh@host/db'])(
    '[GWC14] is not shown where its password cannot be told: %s',
    (address) => {
      expect(() => storeAddress(address)).toThrow(
        /^option '--store': the address cannot be read; in its password, write \/ as %2F, # as %23, \? as %3F and @ as %40$/,
      );
    },
  );

  it.each(['127.0.0.1:6379', 'localhost:6379', 'redis:/host', 'mysql://ann:hush@host', ':memory:'])(
    '[GWC14] is no file by mistake: %s',
    (address) => {
      expect(() => storeAddress(address)).toThrow(
        "option '--store': expected redis://…, rediss://…, postgres://…, postgresql://… or the path of a file",
      );
    },
  );
});
