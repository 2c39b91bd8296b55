import type { BudgetStore } from '@teamfuse/core';
import type { CircuitStore } from '@teamfuse/stores/fleet';

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
  /** Waits until all is booked. */
  flush(): Promise<void>;
  close(): void;
}

/** Gateways that share circuits. */
export interface Fleet {
  /** The circuits of one team, by the name of its books. */
  circuits(name: string): CircuitStore;
  /** What all of them hash keys with, so that a conversation has one id. */
  readonly salt: string;
  /** Writes the salt down again where it was lost, for gateways that start later. */
  keepSalt?(): void;
}

/** An open connection to what keeps the books of all teams. */
export interface Connection {
  books(options: BookOptions): TeamBooks;
  /** What gateways need to share circuits; missing where only budgets are kept. */
  readonly fleet?: Fleet;
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
