import type { BudgetStore } from '@teamfuse/core';

/** What the books of one team need to know. */
export interface BookOptions {
  /** Their name in the store. */
  readonly budget: string;
  /** Milliseconds after which spend is forgotten. */
  readonly windowMs: number | undefined;
  /** Milliseconds for which a call that is never settled holds its reservation. */
  readonly callMs: number | undefined;
  /** Is told when a server is lost. */
  readonly onError: (error: unknown) => void;
}

/** The books of one team. */
export interface TeamBooks extends BudgetStore {
  /** How many settlements wait for the server. */
  readonly unsettled?: number;
  /** Sends them. */
  flush?(): Promise<void>;
  close(): void;
}

/** An open connection to what keeps the books of all teams. */
export interface Connection {
  books(options: BookOptions): TeamBooks;
  /** Closes the connection. What was to be booked has been. */
  close(): Promise<void>;
}

/** How long a connection may take. */
export const CONNECT_MS = 5_000;

/** Leaves out what has no value. */
export function given<T extends object>(options: T): { [K in keyof T]: NonNullable<T[K]> } {
  const entries = Object.entries(options).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]: NonNullable<T[K]> };
}
