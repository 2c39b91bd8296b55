/** How a coding agent is led through a gateway. */
interface CodingAgent {
  /** The API that it talks to by default. */
  readonly upstream: string;
  /** How it is started, with the addresses of the gateway and of its upstream. */
  readonly start: (address: string, upstream: string) => string;
}

export type CodingAgentName = 'claude-code' | 'codex' | 'gemini-cli' | 'opencode';

/** The coding agents whose traffic is guarded. */
export const CODING_AGENTS: Readonly<Record<CodingAgentName, CodingAgent>> = {
  'claude-code': {
    upstream: 'https://api.anthropic.com',
    start: (address) => `ANTHROPIC_BASE_URL=${address} claude`,
  },
  // It reads no variable since 2026, and speaks over WebSockets to all providers but those that are declared.
  codex: {
    upstream: 'https://api.openai.com',
    start: (address) =>
      `codex -c model_provider=teamfuse -c 'model_providers.teamfuse={name="Teamfuse",base_url="${address}/v1",env_key="OPENAI_API_KEY",wire_api="responses"}'`,
  },
  'gemini-cli': {
    upstream: 'https://generativelanguage.googleapis.com',
    start: (address, upstream) => `${geminiVariable(upstream)}=${address} gemini`,
  },
  opencode: {
    upstream: 'https://api.anthropic.com',
    start: (address) =>
      `OPENCODE_CONFIG_CONTENT='{"provider":{"anthropic":{"options":{"baseURL":"${address}/v1"}}}}' opencode`,
  },
};

export const CODING_AGENT_NAMES: readonly CodingAgentName[] = [
  'claude-code',
  'codex',
  'gemini-cli',
  'opencode',
];

/** The variable that the Gemini CLI reads: another one for people who are logged in with Google, and for Vertex AI. */
function geminiVariable(upstream: string): string {
  const { host } = new URL(upstream);
  if (host.startsWith('cloudcode-')) return 'CODE_ASSIST_ENDPOINT';
  return host.includes('aiplatform') ? 'GOOGLE_VERTEX_BASE_URL' : 'GOOGLE_GEMINI_BASE_URL';
}
