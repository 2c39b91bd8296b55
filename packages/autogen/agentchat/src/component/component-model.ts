import { z } from 'zod';
import type { JsonObject, JsonValue } from '../base/json.ts';

/** A component as plain JSON, with its class and config, in AutoGen's format. */
export interface ComponentModel {
  /** Names the class: `autogen_agentchat.conditions.MaxMessageTermination`. */
  readonly provider: string;
  readonly component_type: string;
  readonly version: number;
  readonly component_version: number;
  readonly description: string | null;
  readonly label: string;
  readonly config: JsonObject;
}

/** The class information in a component's dump. */
export interface ComponentIdentity {
  readonly provider: string;
  readonly componentType: string;
  /** Version of the config's form. @defaultValue 1 */
  readonly version?: number;
  /** Purpose of the class, in one sentence. @defaultValue null */
  readonly description?: string | null;
}

/** Something that can be dumped to a {@link ComponentModel}. */
export interface Component {
  dumpComponent(): ComponentModel;
}

/** Makes the dump of a component. Nulls in its config are omitted at any depth. */
export function componentModel(
  { provider, componentType, version = 1, description = null }: ComponentIdentity,
  config: Readonly<Record<string, unknown>>,
): ComponentModel {
  return {
    provider,
    component_type: componentType,
    version,
    component_version: version,
    description,
    label: classNameOf(provider),
    config: withoutNulls(config) as JsonObject,
  };
}

/** The class a provider names: its last segment. */
export function classNameOf(provider: string): string {
  return provider.slice(provider.lastIndexOf('.') + 1);
}

/** The input for loading a component. */
export interface ComponentJson {
  readonly provider: string;
  readonly component_type?: string | null | undefined;
  readonly component_version?: number | null | undefined;
  readonly config: Readonly<Record<string, unknown>>;
}

/** Schema of the input for loading a component; other fields of a dump are ignored. */
export const componentJson: z.ZodType<ComponentJson> = z.object({
  provider: z.string(),
  component_type: z.string().nullable().optional(),
  component_version: z.int().nullable().optional(),
  config: z.record(z.string(), z.unknown()),
});

function withoutNulls(value: unknown): JsonValue {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value as JsonValue;
  const entries = Object.entries(value).filter(([, item]) => item !== null && item !== undefined);
  return Object.fromEntries(entries.map(([key, item]) => [key, withoutNulls(item)]));
}
