/** Ids that are handed out per call, such as `requestId` or `trace_id`. */
const NAMED_ID =
  /^(?:.*[_-])?(?:request|trace|span|correlation|session|call|message|event|comment|log)[_-]?(?:id|ID|Id|uuid)$|(?:Request|Trace|Span|Correlation|Session|Call|Message|Event|Comment|Log)(?:Id|ID)$/;
/** Points in time and time taken, such as `servedAt` or `took_ms`, and what is random by name. */
const NAMED_MOMENT =
  /(?:[a-z](?:At|Ms|Millis|Timestamp)|[_-](?:at|ms|timestamp))$|^(?:ms|timestamp|duration|elapsed|took|latency|uptime|nonce|etag|uuid|guid)$/;
/** What a caller makes up for each call, such as `nonce` or `X-Request-Id`. */
const NAMED_NONCE =
  /(?:^|[_-])(?:nonce|(?:request|trace|span|correlation)[_-]?id|idempotency[_-]?key)$/i;
/** ISO 8601 points in time, and UUIDs. */
const VOLATILE_TEXT =
  /^(?:\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?|[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12})$/i;

const CAPITAL = /(?<=[a-z])[A-Z]/g;

/** Whether a field's name says that its value is an id handed out, a moment, or a nonce. @internal */
export function hasVolatileName(name: string): boolean {
  return NAMED_ID.test(name) || NAMED_MOMENT.test(name);
}

/** Whether a text is nothing but a point in time or a UUID. @internal */
export function isVolatileText(text: string): boolean {
  return text.length >= 16 && text.length <= 40 && VOLATILE_TEXT.test(text);
}

/** Whether a field's name says that its value is made up by whoever calls. @internal */
export function hasNonceName(name: string): boolean {
  return NAMED_NONCE.test(name.replace(CAPITAL, '_$&'));
}
