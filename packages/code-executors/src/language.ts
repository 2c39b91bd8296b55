/** How the programs of one language are stored and started. */
export interface Language {
  readonly extension: string;
  readonly command: string;
  /** Arguments that stand before the file's path. */
  readonly args: readonly string[];
}

// -u: what a program printed before it is stopped is not lost in Python's buffer.
const python: Language = { extension: 'py', command: 'python3', args: ['-u'] };
const sh: Language = { extension: 'sh', command: 'sh', args: [] };
const bash: Language = { extension: 'sh', command: 'bash', args: [] };
const powershell: Language = { extension: 'ps1', command: 'pwsh', args: ['-NoProfile', '-File'] };
const node: Language = { extension: 'js', command: 'node', args: [] };

const languages: ReadonlyMap<string, Language> = new Map([
  ['python', python],
  ['py', python],
  ['python3', python],
  ['sh', sh],
  ['shell', sh],
  ['bash', bash],
  ['pwsh', powershell],
  ['powershell', powershell],
  ['ps1', powershell],
  ['javascript', node],
  ['js', node],
  ['node', node],
]);

/** The language called `name` in a fence, however it is capitalised; `undefined` when it cannot be run. */
export function findLanguage(name: string): Language | undefined {
  return languages.get(name.toLowerCase());
}
