import type { ConversableAgentOptions, HumanInputMode } from './agent-options.ts';
import { ConversableAgent } from './conversable-agent.ts';

const descriptions: Readonly<Record<HumanInputMode, string>> = {
  ALWAYS:
    'A person who joins in: answers questions, judges what was done, and can run code and report what came of it.',
  TERMINATE:
    'Stands in for a person: runs code, reports what came of it, and asks the person when the work seems done.',
  NEVER:
    'Runs the Python and shell blocks it is sent and reports what came of them; never writes code of its own.',
};

/**
 * An agent that stands in for a person: it asks them, runs code and executes functions.
 *
 * @example
 * ```ts
 * const user = new UserProxyAgent({
 *   name: 'user',
 *   humanInputMode: 'NEVER',
 *   codeExecutionConfig: { executor: new LocalCommandLineCodeExecutor() },
 * });
 * const messages = [{ role: 'user', content: '```sh\necho hello\n```' }];
 * await user.generateReply({ messages }); // => 'exitcode: 0 (execution succeeded)\nCode output: hello\n'
 * ```
 */
export class UserProxyAgent extends ConversableAgent {
  constructor(options: ConversableAgentOptions) {
    const { humanInputMode = 'ALWAYS', description } = options;
    super({
      systemMessage: '',
      ...options,
      humanInputMode,
      description: description ?? descriptions[humanInputMode],
    });
  }
}
