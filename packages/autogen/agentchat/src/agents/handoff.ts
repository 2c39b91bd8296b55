import type { ToolSchema } from '@teamfuse/models';
import type { OptionNames } from '@teamfuse/python-compat';
import { ValidationError } from '../base/errors.ts';
import { knownOptions } from '../base/options.ts';
import { isIdentifier } from './identifier.ts';

/** Fields of a {@link Handoff}; only the target is required. */
export interface HandoffOptions {
  /** Name of the agent that takes over. */
  readonly target: string;
  /** @defaultValue `Handoff to {target}.` */
  readonly description?: string | undefined;
  /**
   * Name of the tool the model calls to hand off.
   * @defaultValue `transfer_to_{target}`, in lower case
   */
  readonly name?: string | undefined;
  /** @defaultValue `Transferred to {target}, adopting the role of {target} immediately.` */
  readonly message?: string | undefined;
}

/** The names of {@link HandoffOptions}. */
const handoffNames: OptionNames<HandoffOptions> = {
  target: true,
  description: true,
  name: true,
  message: true,
};

/** A handoff to another agent, offered to the model as a tool. */
export interface Handoff {
  readonly target: string;
  readonly description: string;
  readonly name: string;
  readonly message: string;
}

/** Fills in the defaults. A given name must be an identifier; the derived name is not checked. */
export function handoffOf(handoff: string | HandoffOptions): Handoff {
  const { target, description, name, message } =
    typeof handoff === 'string'
      ? { target: handoff }
      : knownOptions('handoff', handoff, handoffNames);
  const derived = `transfer_to_${target}`.toLowerCase();
  if (name !== undefined && name !== derived && !isIdentifier(name)) {
    throw new ValidationError('Handoff', [
      { loc: [], message: `Handoff name must be a valid identifier: ${name}` },
    ]);
  }
  return {
    target,
    description: description ?? `Handoff to ${target}.`,
    name: name ?? derived,
    message: message ?? `Transferred to ${target}, adopting the role of ${target} immediately.`,
  };
}

/** The schema of the handoff tool. */
export function handoffSchema({ name, description }: Handoff): ToolSchema {
  return {
    name,
    description,
    parameters: { type: 'object', properties: {}, additionalProperties: false },
  };
}
