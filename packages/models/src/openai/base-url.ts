import { ModelClientError } from '../errors.ts';

/** Where a server is, apart from what is secret about it. */
export interface BaseURL {
  /** Without user name and password; `undefined` for OpenAI's own. */
  readonly url: string | undefined;
  /** The value of the header that user name and password become. */
  readonly authorization: string | undefined;
  readonly secrets: readonly string[];
}

/** Takes user name and password out of a base URL. @throws {@link ModelClientError} which does not repeat the URL */
export function readBaseURL(given: string | undefined): BaseURL {
  const text = (given ?? globalThis.process?.env.OPENAI_BASE_URL)?.trim();
  if (!text) return { url: undefined, authorization: undefined, secrets: [] };
  const url = parsed(text);
  const { username, password } = url;
  if (username === '' && password === '') {
    return { url: text, authorization: undefined, secrets: [] };
  }
  url.username = '';
  url.password = '';
  const pair = `${decoded(username)}:${decoded(password)}`;
  const encoded = btoa(String.fromCharCode(...new TextEncoder().encode(pair)));
  const secret = password === '' ? username : password;
  return {
    url: url.href,
    authorization: `Basic ${encoded}`,
    secrets: [decoded(secret), secret, encoded],
  };
}

function parsed(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url;
  throw new ModelClientError(
    'INVALID_OPTION',
    "option 'baseURL': expected a URL that begins with http:// or https://, received something else",
  );
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
