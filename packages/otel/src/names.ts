/**
 * All names that leave this package. Those with `gen_ai.` are OpenTelemetry's own, from the semantic conventions for generative AI
 * (github.com/open-telemetry/semantic-conventions-genai, status: development); there are none yet for circuit breakers.
 */
export const SCOPE = '@teamfuse/otel';

export const METRICS = {
  signals: 'teamfuse.signals',
  suspicion: 'teamfuse.suspicion',
  findings: 'teamfuse.findings',
  trips: 'teamfuse.trips',
  refusals: 'teamfuse.refusals',
  probability: 'teamfuse.judge.probability',
  errors: 'teamfuse.errors',
  spend: 'teamfuse.spend',
  judgeSpend: 'teamfuse.judge.spend',
  tokens: 'teamfuse.tokens',
  unpricedTokens: 'teamfuse.tokens.unpriced',
  open: 'teamfuse.circuits.open',
  reserved: 'teamfuse.reserved',
  reservedTokens: 'teamfuse.tokens.reserved',
  saved: 'teamfuse.saved',
} as const;

export const EVENTS = {
  trip: 'teamfuse.trip',
  refusal: 'teamfuse.refusal',
  answer: 'gen_ai.evaluation.result',
} as const;

export const ATTRIBUTES = {
  /** Such as `repetition` or `budget`. */
  kind: 'teamfuse.kind',
  /** `warn` or `trip`. */
  level: 'teamfuse.level',
  /** What comes of a finding: `none`, `ask`, `warn` or `stop`. */
  effect: 'teamfuse.effect',
  /** `certain`, `declared`, `judged` or `suspected`. */
  basis: 'teamfuse.basis',
  /** The kind of signal, such as `tool-call`. */
  signal: 'teamfuse.signal',
  reason: 'teamfuse.reason',
  /** The purse that is exhausted. */
  purse: 'teamfuse.purse',
  /** During which work something failed. */
  during: 'teamfuse.during',
  conversation: 'gen_ai.conversation.id',
  agent: 'gen_ai.agent.name',
  evaluation: 'gen_ai.evaluation.name',
  score: 'gen_ai.evaluation.score.value',
  explanation: 'gen_ai.evaluation.explanation',
} as const;
