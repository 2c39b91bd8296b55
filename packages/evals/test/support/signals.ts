import type { Signal } from '@teamfuse/core';
import type {
  ExecutionSignal,
  HumanInputSignal,
  JsonValue,
  MessageSignal,
  ToolCallSignal,
} from '@teamfuse/core/kit';

/** A message. */
export function said(text: string, agent = 'coder'): MessageSignal {
  return { kind: 'message', at: 0, agent, text };
}

/** What a person said. */
export function asked(text: string): HumanInputSignal {
  return { kind: 'human-input', at: 0, agent: 'user', text };
}

/** A call that gave something. */
export function called(args: JsonValue, result: JsonValue = 'ok', tool = 'search'): ToolCallSignal {
  return { kind: 'tool-call', at: 0, agent: 'coder', tool, args, result };
}

/** A call that failed. */
export function failed(args: JsonValue, message = 'not found'): ToolCallSignal {
  return { kind: 'tool-call', at: 0, agent: 'coder', tool: 'search', args, error: { message } };
}

/** A run of code. */
export function ran(code: string, output = 'ok', exitCode = 0): ExecutionSignal {
  return { kind: 'execution', at: 0, agent: 'coder', language: 'sh', code, exitCode, output };
}

/** The same by another agent. */
export function by<T extends Signal>(agent: string, signal: T): T {
  return { ...signal, agent };
}

/** As many rounds of some signals, each signal an object of its own. */
export function rounds(count: number, ...signals: readonly Signal[]): Signal[] {
  return Array.from({ length: count }, () => signals.map((signal) => ({ ...signal }))).flat();
}
