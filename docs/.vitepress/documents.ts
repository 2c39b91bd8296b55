import { existsSync, readdirSync, statSync } from 'node:fs';
import { dirname, join, posix, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root of the repository. */
export const ROOT: string = fileURLToPath(new URL('../..', import.meta.url));
/** Where the files of the repository can be read that are no pages. */
const REPOSITORY = 'https://github.com/teamfuse/teamfuse/blob/main/';

const API = 'docs/api/pages/';
const NAMES: Readonly<Record<string, string>> = { README: 'index', SPEC: 'rules' };
const PAGES = /^(?:[A-Z]+\.md|(?:docs|packages|examples)\/.+\.md)$/;
const NO_PAGES = /(?:^|\/)(?:node_modules|\.[^/]+|test|dist)\//;

/** Every document of the repository that is a page of the site, from the root: its file and its page. */
export function documents(): Readonly<Record<string, string>> {
  const files = listed('').filter((file) => PAGES.test(file));
  return Object.fromEntries(files.map((file) => [file, pageOf(file)]));
}

/** Where a document stands on the site: `docs/` is the root, a README is the page of its folder. */
function pageOf(file: string): string {
  if (file === 'README.md') return 'readme.md';
  if (file.startsWith(API)) return file.slice(API.length).replace(/^(?:@teamfuse\/)?/, 'api/');
  const path = file.replace(/^docs\//, '').replace(/\.md$/, '');
  const name = posix.basename(path);
  return posix.join(posix.dirname(path), `${NAMES[name] ?? name.toLowerCase()}.md`);
}

function listed(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = posix.join(folder, entry.name);
    if (NO_PAGES.test(entry.isDirectory() ? `${path}/` : path)) return [];
    return entry.isDirectory() ? listed(path) : [path];
  });
}

/**
 * The link that leads on the site to where `href` leads in `file`: to a page of the site, or to a file of the repository.
 *
 * @throws {Error} if nothing is there.
 */
export function siteLink(file: string, href: string): string {
  const local = href.replace(
    /^https:\/\/github\.com\/teamfuse\/teamfuse\/(?:blob|tree)\/main\//,
    '/',
  );
  if (/^(?:[a-z]+:|#|\/\/)/.test(local)) return href;
  const [path = '', anchor] = local.split('#');
  const base = local.startsWith('/') ? ROOT : join(ROOT, dirname(file));
  const target = join(base, decodeURIComponent(path));
  if (!existsSync(target)) throw new Error(`${file} links to '${href}', which does not exist`);
  const readme = join(target, 'README.md');
  const isFolder = statSync(target).isDirectory();
  const from = relative(ROOT, isFolder && existsSync(readme) ? readme : target);
  const end = anchor === undefined ? '' : `#${anchor}`;
  if (!PAGES.test(from) || NO_PAGES.test(from)) return `${REPOSITORY}${from}${end}`;
  return `/${pageOf(from).replace(/(?:index)?\.md$/, '')}${end}`;
}
