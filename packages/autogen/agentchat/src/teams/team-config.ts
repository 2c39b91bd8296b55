import { str } from '@teamfuse/python-compat';
import { z } from 'zod';
import type { ChatAgent } from '../base/chat-agent.ts';
import { ValueError } from '../base/errors.ts';
import type { Participant } from '../base/team.ts';
import { TerminationCondition } from '../base/termination-condition.ts';
import type { ComponentLoader } from '../component/component-loader.ts';
import { type ComponentJson, componentJson } from '../component/component-model.ts';
import { dumpOf } from '../component/dump-of.ts';
import { A_TEAM, AN_AGENT } from '../component/shapes.ts';
import type { BaseGroupChat } from './base-group-chat.ts';
import type { GroupChatOptions } from './group-chat-options.ts';

/** Schema of the config fields that all kinds of teams share. */
export const teamConfigShape: {
  readonly name: z.ZodOptional<z.ZodNullable<z.ZodString>>;
  readonly description: z.ZodOptional<z.ZodNullable<z.ZodString>>;
  readonly participants: z.ZodArray<typeof componentJson>;
  readonly termination_condition: z.ZodOptional<z.ZodNullable<typeof componentJson>>;
  readonly max_turns: z.ZodOptional<z.ZodNullable<z.ZodInt>>;
  readonly emit_team_events: z.ZodDefault<z.ZodBoolean>;
} = {
  name: z.string().nullable().optional(),
  description: z.string().nullable().optional(),
  participants: z.array(componentJson),
  termination_condition: componentJson.nullable().optional(),
  max_turns: z.int().nullable().optional(),
  emit_team_events: z.boolean().default(false),
};

/** The checked config fields that all kinds of teams share. */
export interface TeamConfig {
  readonly name?: string | null | undefined;
  readonly description?: string | null | undefined;
  readonly termination_condition?: ComponentJson | null | undefined;
  readonly max_turns?: number | null | undefined;
  readonly emit_team_events: boolean;
}

/** Reads the options of a team from its config. */
export function teamOptions(config: TeamConfig, loader: ComponentLoader): GroupChatOptions {
  const { termination_condition: condition } = config;
  return {
    // An empty text counts as missing, as upstream.
    name: config.name || undefined,
    description: config.description || undefined,
    terminationCondition: condition && loader.load(condition, TerminationCondition),
    maxTurns: config.max_turns,
    emitTeamEvents: config.emit_team_events,
  };
}

/** Dumps the config fields that all kinds of teams share. */
export function dumpTeam(team: BaseGroupChat): Readonly<Record<string, unknown>> {
  return {
    name: team.name,
    description: team.description,
    participants: team.participants.map(dumpOf),
    termination_condition: team.terminationCondition && dumpOf(team.terminationCondition),
    max_turns: team.maxTurns,
    emit_team_events: team.emitTeamEvents,
  };
}

/** Loads participants, which must be agents. */
export function loadAgents(
  models: readonly ComponentJson[],
  loader: ComponentLoader,
): readonly ChatAgent[] {
  return models.map((model) => loader.load(model, AN_AGENT));
}

/** Loads participants that are agents or teams. */
export function loadParticipants(
  models: readonly ComponentJson[],
  loader: ComponentLoader,
): readonly Participant[] {
  return models.map((model) =>
    loader.load<Participant>(model, model.component_type === 'team' ? A_TEAM : AN_AGENT),
  );
}

/**
 * Loads participants whose dumps must state their component type.
 *
 * @throws {@link ValueError} for any other type than `agent` and `team`.
 */
export function loadTypedParticipants(
  models: readonly ComponentJson[],
  loader: ComponentLoader,
): readonly Participant[] {
  for (const { component_type: type } of models) {
    if (type === 'agent' || type === 'team') continue;
    throw new ValueError(
      `Invalid participant component type: ${str(type)}. Expected ChatAgent or Team.`,
    );
  }
  return loadParticipants(models, loader);
}
