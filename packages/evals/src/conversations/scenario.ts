import type { BreakerOptions, Signal } from '@teamfuse/core';
import type { ToolOptions } from '@teamfuse/core/detectors';
import type { SignalKind } from '@teamfuse/core/kit';

/** What the user of a scenario has declared. All else is left at the defaults. */
export interface ScenarioConfig {
  readonly budgetUsd?: number;
  readonly spentUsd?: number;
  readonly budgetTokens?: number;
  readonly contextWindowTokens?: number;
  readonly maxDepth?: number;
  readonly maxNestedChats?: number;
  readonly maxMessages?: number;
  readonly maxRunMs?: number;
  readonly pollingTools?: readonly { readonly tool: string; readonly maxWaitMs?: number }[];
  readonly volatileFields?: readonly string[];
  readonly stopTexts?: readonly { readonly text: string; readonly from?: readonly string[] }[];
  readonly rateLimits?: readonly {
    readonly event: string;
    readonly max: number;
    readonly perMs: number;
  }[];
}

/** An event as a scenario file holds it: the fields of a signal under the file's own names. */
export interface ScenarioEvent extends Readonly<Record<string, unknown>> {
  readonly type: string;
}

/** A scripted conversation, and what a breaker has to do with it. */
export interface Scenario {
  readonly id: string;
  readonly must: 'trip' | 'no-trip';
  /** First and last right event, counted from 1. */
  readonly window: readonly [number, number] | null;
  readonly kinds: readonly string[];
  readonly config: ScenarioConfig;
  readonly twin: string;
  readonly events: readonly ScenarioEvent[];
}

const SIGNAL_KINDS: Readonly<Record<string, SignalKind>> = {
  message: 'message',
  'human-input': 'human-input',
  'tool-call': 'tool-call',
  'code-execution': 'execution',
  'nested-start': 'nested-start',
  'nested-end': 'nested-end',
  'model-request': 'model-request',
  'model-usage': 'usage',
  handoff: 'handoff',
};

/** An event of a scenario as a signal: other names, the same content. */
export function toSignal({ type, error, ...fields }: ScenarioEvent): Signal {
  const { message, code } = Object(error);
  return {
    kind: signalKind(type),
    ...fields,
    ...(error !== undefined && {
      error: { message, ...(code !== undefined && { code: String(code) }) },
    }),
  } as Signal;
}

/** The options of a breaker that has been told what the scenario's user declares, and nothing else. */
export function toOptions(config: ScenarioConfig): BreakerOptions {
  const { budgetUsd, budgetTokens, spentUsd, contextWindowTokens } = config;
  const { maxDepth, maxNestedChats, maxMessages, maxRunMs, stopTexts } = config;
  const tools: Record<string, ToolOptions> = {};
  for (const { tool, maxWaitMs } of config.pollingTools ?? []) {
    tools[tool] = { polls: maxWaitMs === undefined ? {} : { maxWaitMs } };
  }
  const rates = config.rateLimits?.map(({ event, max, perMs }) => ({
    signal: signalKind(event),
    max,
    perMs,
  }));
  return {
    analysis: { volatileFields: config.volatileFields ?? [], tools },
    budget: {
      ...(budgetUsd !== undefined && { maxUsd: budgetUsd }),
      ...(budgetTokens !== undefined && { maxTokens: budgetTokens }),
      ...(spentUsd !== undefined && { spentUsd }),
    },
    nestedCascade: {
      ...(maxDepth !== undefined && { maxDepth }),
      ...(maxNestedChats !== undefined && { maxTotal: maxNestedChats }),
    },
    ...(contextWindowTokens !== undefined && {
      contextWindow: { maxContextTokens: contextWindowTokens },
    }),
    ...(maxMessages !== undefined && { maxMessages }),
    ...(maxRunMs !== undefined && { maxRunMs }),
    ...(stopTexts !== undefined && { stopTexts }),
    ...(rates !== undefined && { rate: { rates } }),
  };
}

function signalKind(type: string): SignalKind {
  const kind = SIGNAL_KINDS[type];
  if (kind === undefined) throw new Error(`unknown type of event '${type}'`);
  return kind;
}
