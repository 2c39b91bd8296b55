import {
  type ChatItem,
  type JsonObject,
  type JsonValue,
  type MaybePromise,
  StopMessage,
  StructuredMessage,
  TextMessage,
} from '@teamfuse/agentchat';
import { VectorError } from '../messages/raised-error.ts';
import type { ErrorSpec } from '../vector.ts';

type Judge = (messages: readonly ChatItem[]) => MaybePromise<boolean>;

/** The function of a FunctionalTermination, from its description. */
export function userFunction(spec: JsonObject): Judge {
  const judge = plainFunction(spec);
  return spec.async ? async (messages) => judge(messages) : judge;
}

function plainFunction({ results, predicate, value, field, n, type }: JsonObject): Judge {
  if (Array.isArray(results)) return byCall(results);
  const last = (messages: readonly ChatItem[]): ChatItem | undefined => messages.at(-1);
  switch (predicate) {
    case 'last_text_is':
      return (messages) => {
        const item = last(messages);
        return item instanceof TextMessage && item.content === value;
      };
    case 'last_structured_field_is':
      return (messages) => {
        const item = last(messages);
        return (
          item instanceof StructuredMessage && Reflect.get(item.content, String(field)) === value
        );
      };
    case 'length_at_least':
      return (messages) => messages.length >= Number(n);
    case 'last_is_stop':
      return (messages) => {
        if (messages.length > 0) return last(messages) instanceof StopMessage;
        throw new VectorError({ type: 'IndexError', message: 'list index out of range' });
      };
    case 'any_type':
      return (messages) => messages.some((message) => message.type === type);
    default:
      throw new Error(`the vectors name an unknown predicate: ${String(predicate)}`);
  }
}

function byCall(results: readonly JsonValue[]): Judge {
  let at = 0;
  return () => {
    const result = results[Math.min(at, results.length - 1)];
    at += 1;
    if (typeof result === 'object' && result !== null && 'raise' in result) {
      throw new VectorError(result.raise as unknown as ErrorSpec);
    }
    return result as boolean;
  };
}
