const ROUNDS = 40;

interface Message {
  readonly role: string;
  readonly content: string | null;
  readonly tool_calls?: readonly {
    readonly id: string;
    readonly function: { readonly arguments: string };
  }[];
  readonly tool_call_id?: string;
}

const search = ({ page }: { readonly page: number }): string =>
  `Page ${page}: high tide at ${page + 5}:${page + 17}.`;

/** An agent with one tool, and nothing but `fetch`. Says how its work ended. */
export async function work(ask: typeof fetch, baseUrl: string, model: string): Promise<string> {
  const messages: Message[] = [{ role: 'user', content: 'When is high tide?' }];
  for (let answers = 0; answers < ROUNDS; answers++) {
    const body = JSON.stringify({ model, messages });
    const response = await ask(`${baseUrl}/chat/completions`, { method: 'POST', body });
    if (response.status === 402) return `refused after ${answers} calls`;
    const { choices } = (await response.json()) as { choices: [{ message: Message }] };
    const { message } = choices[0];
    if (message.tool_calls === undefined) return `finished after ${answers + 1} calls`;
    messages.push(message);
    for (const call of message.tool_calls) {
      const content = search(JSON.parse(call.function.arguments));
      messages.push({ role: 'tool', tool_call_id: call.id, content });
    }
  }
  return `still at it after ${ROUNDS} calls`;
}
