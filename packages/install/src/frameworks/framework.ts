import type { Guard, GuardOptions, TeamModel } from '@teamfuse/adapter-kit';
import type { Breaker } from '@teamfuse/core';

/** A framework whose objects can be guarded. */
export interface Framework {
  /** What it has that is recognised, for the error that lists all. */
  readonly recognised: string;
  /** What a target is; `undefined` if it is none of this framework's objects. */
  recognise(target: object): FrameworkTarget | undefined;
}

/** An object of a framework. */
export interface FrameworkTarget {
  readonly kind: 'agent' | 'client' | 'model' | 'runner' | 'tools';
  /** Its name; may be empty. */
  readonly name: string;
  /** The names of what is guarded in it. */
  readonly members: readonly string[];
  /** The model that a judge may ask. */
  readonly model?: TeamModel | undefined;
  install(breaker: Breaker, options: GuardOptions): FrameworkGuard;
}

/** What guards an object of a framework. */
export interface FrameworkGuard {
  /** The guard, if it is on the object itself. */
  readonly guard?: Guard;
  /** What is to be used in place of the object. @defaultValue the object */
  readonly guarded?: object;
  /** Removes it. */
  uninstall(): void;
}
