import { readFileSync } from 'node:fs';

/** What comes with the package for those who watch. */
export const WATCHING = ['dashboard.json', 'alerts.yaml'] as const;

type Watching = (typeof WATCHING)[number];

export function read(file: Watching): string {
  return readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
}

/** The names of metrics in what an exporter for Prometheus says. */
export function namesIn(text: string): ReadonlySet<string> {
  return new Set([...text.matchAll(/^(teamfuse_\w+)/gm)].map(([, name = '']) => name));
}

/** The names of attributes in it. */
export function labelsIn(text: string): ReadonlySet<string> {
  return new Set([...text.matchAll(/(teamfuse_\w+)="/g)].map(([, name = '']) => name));
}

/** The metrics that a file asks for, where these are the attributes. */
export function metricsAsked(file: Watching, labels: ReadonlySet<string>): readonly string[] {
  return [...read(file).matchAll(/\b(teamfuse_\w+)(?=\[|\)|\{teamfuse)/g)]
    .map(([, name = '']) => name)
    .filter((name) => !labels.has(name));
}

/** The attributes that a file asks for. */
export function labelsAsked(file: Watching): readonly string[] {
  return [...read(file).matchAll(/by \(([^)]*)\)|\{+(teamfuse_\w+)|\$labels\.(\w+)/g)]
    .flatMap(([, list = '', one = '', label = '']) => [...list.split(', '), one, label])
    .filter((name) => name.startsWith('teamfuse_'));
}
