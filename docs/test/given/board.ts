import type { AdapterHarness } from '@teamfuse/testing/adapters';
import { boardHarness } from '../../../packages/adapter-kit/test/support/board-harness.ts';
import { guardBoard } from '../../../packages/adapter-kit/test/support/guard-board.ts';

/** The framework that the README of the kit invents. */
export interface Board {
  readonly name: string;
  readonly experts: readonly Expert[];
  solve(task: string, signal?: AbortSignal): Promise<{ notes: readonly string[]; outcome: string }>;
}

export interface Expert {
  readonly name: string;
  readonly model: {
    readonly id: string;
    ask(prompts: readonly string[], signal?: AbortSignal): Promise<Answer>;
  };
  readonly tools: Record<string, (args: object, signal?: AbortSignal) => Promise<string>>;
  contribute(notes: readonly string[], signal?: AbortSignal): Promise<string>;
}

export interface Answer {
  readonly text: string;
  readonly read: number;
  readonly written: number;
}

export function tapBoard(..._parts: unknown[]): void {}
export function tapExpert(..._parts: unknown[]): void {}

export const harness: AdapterHarness = boardHarness(guardBoard);

export function modelOf(_board: Board): undefined {}
