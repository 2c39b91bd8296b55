import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DefaultTheme } from 'vitepress';
import { PACKAGE_FOLDERS } from '../../test/package-folders.ts';
import { ROOT } from './documents.ts';

type Item = DefaultTheme.SidebarItem;

const AUTOGEN = '/packages/autogen/';

export const nav: DefaultTheme.NavItem[] = [
  { text: 'Get started', link: '/getting-started' },
  { text: 'It tripped', link: '/guides/tripped' },
  { text: 'Options', link: '/options' },
  { text: 'API', link: '/api/' },
];

export const sidebar: Item[] = [
  {
    text: 'Begin',
    items: [
      { text: 'What it is', link: '/readme' },
      { text: 'Get started', link: '/getting-started' },
      { text: 'Coming from …', link: '/guides/coming-from' },
      { text: 'TypeScript and CommonJS', link: '/guides/typescript' },
    ],
  },
  {
    text: 'Guides',
    items: [
      { text: 'AutoGen 0.2 style agents', link: '/guides/autogen-02' },
      { text: 'AutoGen 0.4 style teams', link: '/guides/autogen-04' },
      { text: 'It tripped, now what', link: '/guides/tripped' },
      { text: 'Tuning', link: '/tuning' },
      { text: 'Budgets', link: '/guides/budgets' },
      { text: 'What a call is booked as', link: '/guides/usage' },
      { text: 'Any SDK: guard the traffic', link: '/guides/traffic' },
      {
        text: 'Frameworks',
        link: '/guides/frameworks',
        items: [
          { text: 'AI SDK', link: '/guides/frameworks/ai-sdk' },
          { text: 'LangChain', link: '/guides/frameworks/langchain' },
          { text: 'Mastra', link: '/guides/frameworks/mastra' },
          { text: 'MCP', link: '/guides/frameworks/mcp' },
          { text: 'OpenAI Agents SDK', link: '/guides/frameworks/openai-agents' },
        ],
      },
      { text: 'Teams in Python', link: '/guides/python' },
      { text: 'Coding agents', link: '/guides/coding-agents' },
      { text: 'Servers', link: '/guides/servers' },
      { text: 'The judge', link: '/guides/judge' },
      { text: 'Tell first, then stop', link: '/guides/ladder' },
      { text: 'How a loop is found', link: '/detection' },
      { text: 'The circuit', link: '/circuit' },
      { text: 'Privacy and redaction', link: '/guides/privacy' },
      { text: 'Replaying recordings', link: '/guides/recordings' },
      { text: 'Writing a detector', link: '/guides/write-a-detector' },
      { text: 'Writing an adapter', link: '/guides/write-an-adapter' },
      { text: 'Differences from AutoGen', link: '/guides/autogen-differences' },
    ],
  },
  {
    text: 'Reference',
    items: [
      { text: 'Which package', link: '/which-package' },
      { text: 'Options', link: '/options' },
      { text: 'Errors', link: '/errors' },
      { text: 'Glossary', link: '/glossary' },
      { text: 'How well it works', link: '/figures' },
      { text: 'API', link: '/api/' },
      { text: 'How large the API is', link: '/api-size' },
    ],
  },
  { text: 'Packages', collapsed: true, items: packages() },
  { text: 'Decisions', collapsed: true, items: decisions() },
  {
    text: 'Project',
    collapsed: true,
    items: [
      { text: 'Architecture', link: '/architecture' },
      { text: 'Contributing', link: '/contributing' },
      { text: 'Security', link: '/security' },
      { text: 'Changelog', link: '/changelog' },
    ],
  },
];

function packages(): Item[] {
  const items = [...PACKAGE_FOLDERS].map(([text, folder]) => ({ text, link: `/${folder}/` }));
  return [
    ...items.filter(({ link }) => !link.startsWith(AUTOGEN)),
    { text: 'autogen', link: AUTOGEN, items: items.filter(({ link }) => link.startsWith(AUTOGEN)) },
  ];
}

function decisions(): Item[] {
  const folder = join(ROOT, 'docs/decisions');
  return readdirSync(folder).map((file) => {
    const [title = ''] = readFileSync(join(folder, file), 'utf8').split('\n');
    return { text: title.replace(/^# /, ''), link: `/decisions/${file.replace(/\.md$/, '')}` };
  });
}
