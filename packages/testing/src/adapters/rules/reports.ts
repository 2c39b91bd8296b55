import { MemoryBudgetStore } from '@teamfuse/core';
import { alarmOn } from '../alarm.ts';
import { ensure, equal } from '../expect.ts';
import { assistant, coding, lookAndSay, nested, speaker, team } from '../members.ts';
import { type RuleDraft, rule } from '../rule.ts';
import { expectEnded, runUnguarded, Scene } from '../scene.ts';
import { MODEL } from '../script.ts';

/** A nano-dollar for each token. */
const PRICES = {
  price: (_: string, tokens: { readonly inputTokens: number; readonly outputTokens: number }) => ({
    nanoUsd: tokens.inputTokens + tokens.outputTokens,
  }),
};

const BUSY = { message: 'too many requests', code: 'RATE_LIMITED' };

/** Each thing that happens is reported exactly once, as what it is. */
export const REPORT_RULES: readonly RuleDraft[] = [
  rule('ADP12', 'reports each message once, by its author', ['speaker'], async (harness) => {
    const script = team([speaker('ann', 'one', 'three'), speaker('bob', 'two', 'four')], 4);
    const scene = new Scene(harness, script);
    expectEnded(await scene.run());
    const said = scene.ofKind('message').map(({ agent, text }) => `${agent}: ${text}`);
    equal(said, ['ann: one', 'bob: two', 'ann: three', 'bob: four'], 'the messages');
  }),
  rule(
    'ADP13',
    'reports each tool call once, with arguments and result',
    ['model', 'tool'],
    async (harness) => {
      const scene = new Scene(harness, team([assistant('bot', lookAndSay('done'))]));
      expectEnded(await scene.run());
      const calls = scene.ofKind('tool-call').map(({ agent, tool, args, result, error }) => {
        return { agent, tool, args, result, error };
      });
      const call = { agent: 'bot', tool: 'look', args: { at: 'sky' }, result: 'blue' };
      equal(calls, [call], 'the tool calls');
    },
  ),
  rule(
    'ADP14',
    'reports a tool call that failed once, with its error',
    ['model', 'tool'],
    async (harness) => {
      const failing = [{ calls: [{ tool: 'look', error: 'fog' }] }, { says: 'nothing' }];
      const scene = new Scene(harness, team([assistant('bot', failing)]));
      await scene.run();
      const errors = scene.ofKind('tool-call').map(({ error }) => error?.message ?? '');
      equal(errors.length, 1, 'the number of tool calls');
      ensure(errors[0]?.includes('fog') ?? false, `the error is lost: ${errors[0]}`);
    },
  ),
  rule(
    'ADP15',
    'reports each code run once, with code, exit code and output',
    ['code'],
    async (harness) => {
      const good = { language: 'python', code: 'print(1)', output: '1' };
      const bad = { language: 'python', code: 'print(x)', exitCode: 3, output: 'no x' };
      const scene = new Scene(harness, team(coding(good, bad), 4));
      expectEnded(await scene.run());
      const runs = scene.ofKind('execution').map((run) => {
        const { agent, language, code, exitCode, output } = run;
        return { agent, language, code: code.trim(), exitCode, output: output.trim() };
      });
      const expected = [
        { agent: 'runner', exitCode: 0, ...good },
        { agent: 'runner', ...bad },
      ];
      equal(runs, expected, 'the executions');
    },
  ),
  rule(
    'ADP16',
    'reports each model call once, with tokens and price',
    ['model'],
    async (harness) => {
      const usage = { inputTokens: 30, outputTokens: 12 };
      const script = team([assistant('bot', [{ says: 'done', usage }])]);
      const scene = new Scene(harness, script, { guard: { prices: PRICES } });
      expectEnded(await scene.run());
      const [request, ...further] = scene.ofKind('model-request');
      equal(further, [], 'further requests');
      equal([request?.agent, request?.model], ['bot', MODEL], 'agent and model of the request');
      const calls = scene.ofKind('usage').map((call) => {
        const { model, inputTokens, outputTokens, costUsd, requestId, error } = call;
        return { model, inputTokens, outputTokens, costUsd, requestId, error };
      });
      const requestId = request?.requestId;
      equal(calls, [{ model: MODEL, ...usage, costUsd: 42e-9, requestId }], 'the usage');
    },
  ),
  rule(
    'ADP17',
    'reports a model call that failed with its error code, and releases what it reserved',
    ['model'],
    async (harness) => {
      const store = new MemoryBudgetStore();
      const script = team([assistant('bot', [{ error: BUSY }])]);
      const breaker = { budget: { maxTokens: 1000, store } };
      const scene = new Scene(harness, script, { breaker });
      await scene.run();
      const codes = scene.ofKind('usage').map(({ error }) => error?.code);
      equal(codes, [BUSY.code], 'the error codes');
      equal(store.totals().reserved.tokens, 0, 'the tokens that are still reserved');
    },
  ),
  rule(
    'ADP18',
    'releases what a model call has reserved that is refused',
    ['model'],
    async (harness) => {
      const store = new MemoryBudgetStore();
      const detectors = [alarmOn(({ kind }) => kind === 'model-request')];
      const breaker = { budget: { maxTokens: 1000, store }, detectors };
      const scene = new Scene(harness, team([assistant('bot', [{ says: 'hi' }])]), { breaker });
      scene.expectStopped(await scene.run());
      scene.expectBegun();
      equal(store.totals().reserved.tokens, 0, 'the tokens that are still reserved');
    },
  ),
  rule('ADP19', 'lets failures reach the caller as they are', ['model'], async (harness) => {
    const script = team([assistant('bot', [{ error: BUSY }])]);
    const { end: plain } = await runUnguarded(harness, script);
    const end = await new Scene(harness, script).run();
    equal(String(end.error), String(plain.error), 'the error of the guarded run');
  }),
  rule(
    'ADP20',
    'does not report work as failed that the caller cancelled',
    ['model', 'tool', 'cancel'],
    async (harness) => {
      const hanging = [{ calls: [{ tool: 'look', hangs: 'until-aborted' }] }] as const;
      const scene = new Scene(harness, team([assistant('bot', hanging)]));
      const controller = new AbortController();
      scene.stage.on('tool bot look', () => setImmediate(() => controller.abort()));
      await scene.run({ signal: controller.signal });
      equal(scene.ofKind('tool-call'), [], 'the tool calls');
      equal(scene.breaker.conversation().state.status, 'closed', 'the state of the circuit');
    },
  ),
  rule(
    'ADP21',
    'does not report a model call as failed that the caller cancelled, and releases what it reserved',
    ['model', 'cancel'],
    async (harness) => {
      const store = new MemoryBudgetStore();
      const script = team([assistant('bot', [{ hangs: 'until-aborted' }])]);
      const breaker = { budget: { maxTokens: 1000, store } };
      const scene = new Scene(harness, script, { breaker });
      const controller = new AbortController();
      scene.stage.on('model bot', () => setImmediate(() => controller.abort()));
      await scene.run({ signal: controller.signal });
      equal(scene.ofKind('usage').length, 1, 'the number of usage signals');
      equal(scene.ofKind('usage')[0]?.error, undefined, 'the error of the usage');
      equal(store.totals().reserved.tokens, 0, 'the tokens that are still reserved');
    },
  ),
  rule('ADP22', 'does not report code as failed that a trip cut off', ['code'], async (harness) => {
    const hanging = { language: 'python', code: 'wait()', hangs: 'until-aborted' } as const;
    const scene = new Scene(harness, team(coding(hanging)));
    scene.stage.on('code runner', () => setImmediate(() => scene.breaker.stop('enough')));
    scene.expectStopped(await scene.run(), 'enough');
    equal(scene.ofKind('execution'), [], 'the executions');
  }),
  rule(
    'ADP23',
    'reports nested work once, as a beginning, what happens one level deeper, and an end',
    ['nested', 'speaker'],
    async (harness) => {
      const script = team([speaker('ann', 'first'), nested(speaker('bob', 'inside'))]);
      const scene = new Scene(harness, script);
      expectEnded(await scene.run());
      const [start, ...starts] = scene.ofKind('nested-start');
      const [end, ...ends] = scene.ofKind('nested-end');
      equal([starts, ends], [[], []], 'further beginnings and ends');
      equal([start?.depth, end?.depth], [1, 1], 'the depths');
      equal(end?.chatId, start?.chatId, 'the id of the chat that ended');
      equal(start?.path.length, 2, 'the number of names in the path');
      const inside = scene.ofKind('message').filter(({ text }) => text === 'inside');
      equal(
        inside.map(({ depth }) => depth),
        [1],
        'the depth of the inner messages',
      );
    },
  ),
];
