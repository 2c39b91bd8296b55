const CODED = /%([0-9a-f]{2})/gi;
/** A proxy and a server may both decode what they get. */
const DECODERS = 2;

/** The path of an address without escapes, parameters, empty and dotted segments, as one server or another reads it. */
export function pathOf(url: string): string {
  let [decoded = ''] = url.split(/[?#]/);
  for (let i = 0; i < DECODERS; i++) {
    decoded = decoded.replace(CODED, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));
  }
  const segments: string[] = [];
  for (const segment of decoded.split(/[/\\]/)) {
    const name = segment.replace(/;.*/s, '').trim();
    if (name === '..') segments.pop();
    else if (name !== '' && name !== '.') segments.push(name);
  }
  return `/${segments.join('/')}`;
}

/** The values of a parameter in the query of an address. */
export function parametersOf(url: string, name: string): readonly string[] {
  const [, query = ''] = /\?([^#]*)/.exec(url) ?? [];
  return new URLSearchParams(query).getAll(name);
}

/** The name of a model and what is asked of it, at the end of a path. */
export const ASKED: RegExp = /([^/]*):(\w+)$/;

/** The model that a path names, whose request has no other name for it. */
export function modelAt(url: string): string | undefined {
  return ASKED.exec(pathOf(url))?.[1] || undefined;
}
