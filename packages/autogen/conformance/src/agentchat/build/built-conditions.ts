import {
  AndTerminationCondition,
  and,
  type ChatItem,
  type ComponentRegistry,
  ExternalTermination,
  FunctionalTermination,
  FunctionCallTermination,
  HandoffTermination,
  type JsonObject,
  MaxMessageTermination,
  OrTerminationCondition,
  or,
  SourceMatchTermination,
  type StopMessage,
  StopMessageTermination,
  type Termination,
  TerminationCondition,
  TextMentionTermination,
  TextMessageTermination,
  TimeoutTermination,
  TokenUsageTermination,
} from '@teamfuse/agentchat';
import { VectorError } from '../messages/raised-error.ts';
import type { Clock } from '../script/clock.ts';
import { userFunction } from '../script/user-function.ts';
import type { ConditionSpec, ErrorSpec } from '../vector.ts';

/** What conditions of one case share. */
export interface ConditionSetting {
  readonly clock: Clock;
  readonly registry: ComponentRegistry;
  /** Conditions that were given a name. */
  readonly named: Map<string, Termination>;
}

/** Makes a condition from its description. */
export function buildCondition(spec: ConditionSpec, setting: ConditionSetting): Termination {
  const condition = made(spec, setting);
  if (spec.as !== undefined) setting.named.set(spec.as, condition);
  return condition;
}

function made(spec: ConditionSpec, setting: ConditionSetting): Termination {
  if ('ref' in spec) {
    const named = setting.named.get(spec.ref);
    if (named === undefined) throw new Error(`no condition is named ${spec.ref}`);
    return named;
  }
  if ('provider' in spec) return setting.registry.load(spec, TerminationCondition);
  if ('operator' in spec) {
    const operands = spec.operands.map((operand) => buildCondition(operand, setting));
    return combined(spec.operator, operands);
  }
  const children = (spec.conditions ?? []).map((child) => buildCondition(child, setting));
  if (spec.class === 'AndTerminationCondition') return new AndTerminationCondition(...children);
  if (spec.class === 'OrTerminationCondition') return new OrTerminationCondition(...children);
  return leaf(spec.class, spec.args ?? {}, setting);
}

function combined(operator: 'and' | 'or', operands: readonly Termination[]): Termination {
  const [first, second, ...others] = operands;
  if (first === undefined) throw new Error('an operator without operands');
  if (second === undefined) return first;
  return operator === 'and' ? and(first, second, ...others) : or(first, second, ...others);
}

function leaf(name: string, args: JsonObject, { clock }: ConditionSetting): Termination {
  switch (name) {
    case 'StopMessageTermination':
      return new StopMessageTermination();
    case 'MaxMessageTermination':
      return new MaxMessageTermination(args.max_messages as number, {
        includeAgentEvent: args.include_agent_event as boolean | undefined,
      });
    case 'TextMentionTermination':
      return new TextMentionTermination(args.text as string, {
        sources: args.sources as string[] | undefined,
      });
    case 'FunctionalTermination':
      return new FunctionalTermination(userFunction(args.func as JsonObject));
    case 'TokenUsageTermination':
      return new TokenUsageTermination({
        maxTotalToken: args.max_total_token as number | undefined,
        maxPromptToken: args.max_prompt_token as number | undefined,
        maxCompletionToken: args.max_completion_token as number | undefined,
      });
    case 'HandoffTermination':
      return new HandoffTermination(args.target as string);
    case 'TimeoutTermination':
      return new TimeoutTermination(args.timeout_seconds as number, clock);
    case 'ExternalTermination':
      return new ExternalTermination();
    case 'SourceMatchTermination':
      return new SourceMatchTermination(args.sources as string[]);
    case 'TextMessageTermination':
      return new TextMessageTermination(args.source as string | undefined);
    case 'FunctionCallTermination':
      return new FunctionCallTermination(args.function_name as string);
    case 'RaiseOnCall':
      return new RaiseOnCall(args.on_call as number, args.error as unknown as ErrorSpec);
    case 'AlwaysContinue':
      return new AlwaysContinue();
    default:
      throw new Error(`the vectors name an unknown condition: ${name}`);
  }
}

/** A user's condition that never stops. */
class AlwaysContinue extends TerminationCondition {
  readonly terminated = false;

  call(_messages: readonly ChatItem[]): StopMessage | null {
    return null;
  }

  reset(): void {}
}

/** A user's condition that throws when it is called for the n-th time. */
class RaiseOnCall extends AlwaysContinue {
  readonly #onCall: number;
  readonly #error: ErrorSpec;
  #calls = 0;

  constructor(onCall: number, error: ErrorSpec) {
    super();
    this.#onCall = onCall;
    this.#error = error;
  }

  override call(): StopMessage | null {
    this.#calls += 1;
    if (this.#calls === this.#onCall) throw new VectorError(this.#error);
    return null;
  }
}
