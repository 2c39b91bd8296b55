import { z } from 'zod';
import type { JsonObject, JsonValue } from '../base/json.ts';

/** A component as plain JSON: which class, and how to set it up. The shape is AutoGen's. */
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

/** What a component says of its class. */
export interface ComponentIdentity {
  readonly provider: string;
  readonly componentType: string;
  /** Version of the config's form. @defaultValue 1 */
  readonly version?: number;
  /** What the class is for, in a sentence. @defaultValue null */
  readonly description?: string | null;
}

/** Something that can be dumped to a {@link ComponentModel}. */
export interface Component {
  dumpComponent(): ComponentModel;
}

/** Makes the dump of a component. Nulls in its config are left out, at any depth. */
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

/** What has to be given to load a component. */
export interface ComponentJson {
  readonly provider: string;
  readonly component_type?: string | null | undefined;
  readonly component_version?: number | null | undefined;
  readonly config: Readonly<Record<string, unknown>>;
}

/** Schema of what has to be given to load a component; everything else of its dump is ignored. */
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
