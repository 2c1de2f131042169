import { randomUUID } from 'node:crypto';
import { InMemoryTransport } from '@modelcontextprotocol/client';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { inputError } from '#command/mcp/inputErrors.ts';
import { createAgentServer } from '#command/mcp/server.ts';
import { openSession, type Session } from '#command/mcp/session.ts';
import { plainly } from '#command/mcp/transport.ts';
import { consoleWithSandbox, testConsole, testSandbox } from '#tests/support/console.ts';
import { sandboxCredentials } from '#tests/support/sandboxCredentials.ts';
import { documentsIn, firstSentence, llmsText } from '#command/mcp/documents.ts';
import { messagesOf } from '#command/mcp/lines.ts';
import { agentOn } from './client.ts';

/** An agent's client on a server whose session is a console and a sandbox of this process. */
async function agent() {
  const console = await consoleWithSandbox();
  return agentOfServer(async () => {
    const session = await openSession({ origin: console.url, headers: {} });
    onTestFinished(session.end);
    return session;
  });
}

/** An agent's client on a server that opens its session so. */
async function agentOfServer(open: () => Promise<Session>) {
  const [mine, its] = InMemoryTransport.createLinkedPair();
  await createAgentServer(process.cwd(), open, new AbortController().signal).connect(plainly(its));
  return agentOn(mine);
}

const key = () => randomUUID();
const noSession = () => Promise.reject(new Error('no session'));

describe('the tools for agents', () => {
  it('say whether they read, change or remove, and take a key wherever a repeat would act twice (behaviour 10.23.1)', async () => {
    const { client } = await agentOfServer(noSession);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name).sort()).toEqual([
      'add_fault',
      'explain_signature',
      'list_calls',
      'list_webhooks',
      'move_clock',
      'prepare_situation',
      'read_call',
      'read_rules',
      'read_state',
      'read_verification',
      'remove_faults',
      'run_journey',
      'send_webhook',
      'verify_program',
    ]);
    const where = (hint: (annotations: NonNullable<(typeof tools)[number]['annotations']>) => unknown) =>
      tools.filter(({ annotations }) => hint(annotations!)).map(({ name }) => name); // all have some
    const reads = /^(list|read|explain)_/;
    expect(where(({ readOnlyHint }) => readOnlyHint).every((name) => reads.test(name))).toBe(true);
    expect(where(({ readOnlyHint }) => !readOnlyHint).some((name) => reads.test(name))).toBe(false);
    expect(where(({ destructiveHint }) => destructiveHint).sort()).toEqual([
      'prepare_situation',
      'remove_faults',
      'verify_program',
    ]);
    const withKey = tools.filter(({ inputSchema }) => inputSchema.required?.includes('key')).map(({ name }) => name);
    expect(withKey.sort()).toEqual(['add_fault', 'move_clock', 'prepare_situation', 'run_journey', 'send_webhook']);
  });

  it('bring a sandbox from nothing to a paid batch, whose calls are listed and read by their ids (behaviour 10.23.1)', async () => {
    const { read } = await agent();
    const made = await read<{ ok: boolean; now: { companyId: string; left: string[] } }>('prepare_situation', {
      key: key(),
      situation: 'payable',
    });
    expect(made).toMatchObject({ ok: true, now: { debtors: 1, creditors: 1, batches: 0 } });
    expect(made.now.companyId).not.toBe('');
    const paid = await read<{ now: { batchId: string; batches: number } }>('run_journey', {
      key: key(),
      journey: 'electronicPayment',
    });
    expect(paid).toMatchObject({
      ok: true,
      journeys: [{ journey: 'electronicPayment', end: 'done' }],
      now: { batches: 1 },
    });
    const { calls } = await read<{ calls: string[] }>('list_calls', { kind: 'service', reads: 'false' });
    const line = calls.find((each) => each.includes('/batchpayments'))!;
    const call = await read<{ response: { body: string } }>('read_call', { callId: line.split(' ')[0] });
    expect(call.response.body).toContain(paid.now.batchId);
  });

  it('do the same intention once: a repeated payment pays nothing again, and another call under its key is refused (behaviour 10.23.2)', async () => {
    const { ask, read } = await agent();
    await read('prepare_situation', { key: key(), situation: 'payable' });
    const pay = { key: key(), journey: 'electronicPayment' };
    // Repeated while the first one runs, and afterwards.
    const answers = [
      ...(await Promise.all([ask('run_journey', pay), ask('run_journey', pay)])),
      await ask('run_journey', pay),
    ];
    expect(new Set(answers.map(({ texts }) => texts[0])).size).toBe(1);
    expect(answers.map(({ texts }) => texts.length)).toEqual([1, 2, 2]);
    expect(await read('read_state')).toMatchObject({ batches: 1 });
    const other = await ask('run_journey', { ...pay, journey: 'batch' });
    expect(other).toMatchObject({ isError: true });
    expect(other.texts[0]).toMatch(/was used for another call: make a new key/);
    const clock = { key: key(), move: 60_000 };
    const [first, again] = [
      await read<{ offset: number }>('move_clock', clock),
      await read<{ offset: number }>('move_clock', clock),
    ];
    expect(again.offset).toBe(first.offset);
  });

  it('add faults, of which the console’s calls show the effect, and remove them', async () => {
    const { read, ask } = await agent();
    const rule = { on: 'call', of: 'createOrganisation', fault: { kind: 'status', status: 503 }, times: 1 };
    await read('add_fault', { key: key(), rule });
    expect(await read('read_state')).toMatchObject({ faults: [{ of: 'createOrganisation' }] });
    const failed = await read('run_journey', { key: key(), journey: 'organisation' });
    expect(failed).toMatchObject({ ok: false, journeys: [{ end: 'failed' }] });
    expect(await read('remove_faults')).toEqual({ faults: [] });
    const wrong = await ask('add_fault', { key: key(), rule: { ...rule, fault: { kind: 'explodes' } } });
    expect(wrong).toMatchObject({ isError: true });
    expect(wrong.texts[0]).toMatch(/a kind of fault: /);
  });

  it('send a webhook and explain its signature, and find the mistake in one that was signed wrongly', async () => {
    const { read, ask } = await agent();
    await read('prepare_situation', { key: key(), situation: 'authorised' });
    const { webhookId } = await read<{ webhookId: string }>('send_webhook', { key: key(), type: 'creditorputs' });
    const { webhooks, total } = await read<{ webhooks: string[]; total: number }>('list_webhooks');
    expect(webhooks[0]).toContain(`${webhookId} creditorputs`);
    expect(webhooks).toHaveLength(Math.min(total, 20));
    const older = await read<{ webhooks: string[] }>('list_webhooks', { after: webhookId });
    expect(older.webhooks).toEqual(webhooks.slice(1));
    const { texts } = await ask('explain_signature', { webhookId });
    expect(texts[0]).toMatch(/\nsignature: v1,\S{20,}/);
    const received = { id: webhookId, timestamp: '1', signature: 'v1,wrong', body: '{}' };
    expect((await ask('explain_signature', { received })).texts[0]).toMatch(/problems/);
    expect(await ask('explain_signature', { received, webhookId })).toMatchObject({ isError: true });
    const far = await ask('send_webhook', {
      key: key(),
      type: 'creditorputs',
      receiver: 'https://live.example.com/hooks',
    });
    expect(far).toMatchObject({ isError: true });
    expect(far.texts[0]).toMatch(/an address of this machine/);
  });

  it('read the rules of a provider by its id', async () => {
    const { read, ask } = await agent();
    const providers = await read<string[]>('read_rules', { country: 'GB' });
    const [providerId] = providers[0]!.split(' ');
    const { rules, apiPaths } = await read<{ rules: string[]; apiPaths: string[] }>('read_rules', {
      country: 'GB',
      providerId,
    });
    expect(rules.length).toBeGreaterThan(0);
    const some = await read<{ rules: string[] }>('read_rules', { country: 'GB', providerId, apiPath: apiPaths[0] });
    expect(some.rules.length).toBeLessThanOrEqual(rules.length);
    expect(await ask('read_rules', { country: 'GB', providerId: 'none' })).toMatchObject({ isError: true });
    for (const locale of [{ country: 'CA' }, { country: 'CA', language: 'en' }, { country: 'CA', language: 'de' }]) {
      const [first = ''] = await read<string[]>('read_rules', locale);
      expect(first).toContain(`(${locale.country})`);
      const one = await read<{ rules: string[] }>('read_rules', { ...locale, providerId: first.split(' ')[0] });
      expect(one.rules.length).toBeGreaterThan(0);
    }
  });

  it('answer without secrets, and in at most 12,000 characters (behaviour 10.23.3)', async () => {
    const { read, ask } = await agent();
    await read('prepare_situation', { key: key(), situation: 'payable' });
    const { calls } = await read<{ calls: string[] }>('list_calls', { kind: 'service', limit: '50' });
    const answers = await Promise.all([
      ...calls.map((line) => ask('read_call', { callId: line.split(' ')[0] })),
      ask('list_calls', { limit: '999' }),
      ask('read_state'),
      ask('run_journey', { key: key(), journey: 'organisation' }),
    ]);
    const said = answers.flatMap(({ texts }) => texts).join('\n');
    const { apiKey, signingKey, webhookSecret, resetToken } = sandboxCredentials;
    for (const secret of [apiKey, signingKey, webhookSecret, resetToken]) expect(said).not.toContain(secret);
    expect(said).not.toMatch(/eyJ[\w-]{10,}\./);
    for (const { texts } of answers) expect(texts[0]!.length).toBeLessThan(12_100);
  });

  it('leave the messages of all other schemas of the process as they are', async () => {
    await agent();
    expect(z.string().safeParse(1).error?.issues[0]!.message).toBe('Invalid input: expected string, received number');
  });

  it('refuse input that is not as declared, with what would be right', async () => {
    z.config({ customError: inputError }); // as the command sets it for its process
    onTestFinished(() => void z.config({ customError: undefined }));
    const { ask } = await agent();
    const wrong: [string, object, RegExp][] = [
      ['prepare_situation', { key: key(), situation: 'rich' }, /payable/],
      ['prepare_situation', { situation: 'payable' }, /key/],
      ['run_journey', { key: key(), journey: 'teleport' }, /electronicPayment/],
      ['run_journey', { key: key(), journey: 'creditor', choices: { colour: 'red' } }, /is not a choice of creditor/],
      ['run_journey', { key: key(), values: { a: 'b' } }, /belong to one journey/],
      ['move_clock', { key: key(), move: 1e15 }, /at most ten years/],
      ['list_calls', { kind: 'gossip' }, /one or several of call, service/],
      ['list_calls', { color: 'red' }, /color/],
      ['read_call', { callId: '999999' }, /There is no call 999999/],
      ['list_webhooks', { webhookId: 'none' }, /There is no webhook none/],
      ['list_webhooks', { after: 'none' }, /give the id with which a list has ended/],
      ['read_verification', { verificationId: 'none', scenario: 'works' }, /There is no none/],
      ['verify_program', { command: [] }, /the command and its arguments/],
      ['verify_program', { command: ['node'], folder: '/nowhere' }, /is not a folder/],
      ['verify_program', { command: ['node'], only: ['--keep'] }, /scenario|check/],
      ['run_journey', {}, /Give a text, not nothing, at key/],
      [
        'read_call',
        { callId: null, from: '1' },
        /Give a text, not null, at callId\nGive a number, not a text, at from/,
      ],
      ['read_rules', { nosuch: 1 }, /Give no member "nosuch", which is not known/],
      ['add_fault', { key: 'x'.repeat(999), rule: {} }, /Give a text of at most 200 characters, at key/],
    ];
    for (const [name, input, right] of wrong) {
      const { texts, isError } = await ask(name, input);
      expect([name, isError]).toEqual([name, true]);
      expect(texts[0]).toMatch(right);
      expect(texts[0]).not.toMatch(/Invalid input: expected|Too (big|small)|Unrecognized key/);
    }
  });

  it('take a JSON text of an object or a list where one is asked for, as one call with the same key (behaviour 10.23.6)', async () => {
    const { read, ask } = await agent();
    const rule = { on: 'call', of: 'createOrganisation', fault: { kind: 'status', status: 503 }, times: 1 };
    const once = key();
    const texts = [
      { key: once, rule: JSON.stringify(rule) },
      { key: once, rule: { ...rule, fault: JSON.stringify(rule.fault) } },
      { key: once, rule: JSON.stringify({ ...rule, fault: JSON.stringify(rule.fault) }) },
      { key: once, rule },
    ];
    for (const input of texts) expect(await ask('add_fault', input)).toMatchObject({ isError: false });
    expect((await read<{ faults: object[] }>('read_state')).faults).toHaveLength(1);
    const only = await ask('verify_program', { command: '["node"]', folder: '/nowhere' });
    expect(only.texts[0]).toMatch(/is not a folder/);
  });

  it.each([
    ['read_call', null, /^Give a text, not nothing, at callId$/],
    ['read_state', null, /^no session$/],
    ['read_state', '{}', /^no session$/],
    ['read_call', '{"callId":7}', /^Give a text, not a number, at callId$/],
    ['list_calls', { limit: 5 }, /^Give a text, not a number, at limit$/],
    ['list_calls', { reads: true }, /^Give one of "true", "false", at reads$/],
    ['read_call', ['7'], /^Give an object, not a list, at params\.arguments$/],
    ['read_call', 7, /Give an object, not a number, at params\.arguments$/],
    ['read_call', 'no JSON', /Give an object, not a text, at params\.arguments$/],
    ['read_call', { callId: '7', from: '2' }, /^Give a number, not a text, at from$/],
    ['move_clock', { key: 'a-key-of-1', still: 'true' }, /^Give true or false, not a text, at still$/],
    ['run_journey', { key: 'a-key-of-1', values: 'a=b' }, /^Give an object, not a text, at values$/],
    ['run_journey', { key: 'a-key-of-1', values: '[]' }, /^Give an object, not a text, at values$/],
    ['verify_program', { command: 'node pay.mjs' }, /^Give a list, not a text, at command$/],
  ])(
    'answer %s with arguments %j in a sentence that says what would be right, where (behaviour 10.23.6)',
    async (name, given, right) => {
      z.config({ customError: inputError }); // as the command sets it for its process
      onTestFinished(() => void z.config({ customError: undefined }));
      const { client } = await agentOfServer(noSession);
      const said = await client.request({ method: 'tools/call', params: { name, arguments: given } }).then(
        ({ content }) => (content as { text: string }[])[0]!.text, // all tools answer in texts
        (error: unknown) => (error as Error).message,
      );
      expect(said.replace(/^MCP error -?\d+: /, '')).toMatch(right);
    },
  );

  it('take an id for nothing else than an id, and refuse it in at most 12,000 characters', async () => {
    const { ask, read } = await agent();
    const rule = { on: 'call', of: 'createOrganisation', fault: { kind: 'status', status: 503 }, times: 1 };
    await read('add_fault', { key: key(), rule });
    await read('move_clock', { key: key(), move: 3_600_000 });
    for (const ruleId of ['..', '.', '../clock', '..%2Fclock', '', '?a', '#', 'nosuch', 'x'.repeat(100_000)]) {
      const { texts, isError } = await ask('remove_faults', { ruleId });
      expect([ruleId.slice(0, 20), isError, texts[0]!.length < 12_100]).toEqual([ruleId.slice(0, 20), true, true]);
    }
    for (const [name, member] of [
      ['read_call', 'callId'],
      ['list_webhooks', 'webhookId'],
      ['explain_signature', 'webhookId'],
      ['read_rules', 'providerId'],
    ] as const)
      for (const id of ['..', 'x'.repeat(20_000)]) {
        const { texts, isError } = await ask(name, { [member]: id });
        expect([name, isError, texts[0]!.length < 12_100]).toEqual([name, true, true]);
      }
    expect(await read('read_state')).toMatchObject({
      faults: [{ of: 'createOrganisation' }],
      clock: { offset: expect.closeTo(3_600_000, -4) as number },
    });
  });
});

it('a session for agents is refused on a console that uses a live service (behaviour 10.23.4)', async () => {
  const { url } = await testConsole({
    upstreamUrl: async () => (await testSandbox()).url,
    changes: { environment: 'live' },
  });
  await expect(openSession({ origin: url, headers: {} })).rejects.toThrow('on such a sandbox only');
});

it('docs/llms.txt lists each document with its title and first sentence (behaviour 10.23.5)', () => {
  // To write it anew: npm run llms
  expect(readFileSync('docs/llms.txt', 'utf8')).toBe(llmsText(documentsIn('docs')));
});

it.each([
  ['# T\n\nOne. Two.', 'One.'],
  [
    '# T\n\nVersion 3.1 of [a thing](x.md) says\n`more` than **this**! Then.',
    'Version 3.1 of a thing says more than this!',
  ],
  ['# T\n\n```sh\nnpm start. Now\n```\n\nAfter code.', 'After code.'],
  [
    '# T\n\n- a list.\n\n1. Numbered.\n\n| a | b |\n\n> Quoted.\n\n![picture](a.png)\n\nProse follows.',
    'Prose follows.',
  ],
  ['# T\n\nWhat follows:\n\n- a', 'What follows.'],
  ['# T', ''],
])('the first sentence of a document is that of its first paragraph of prose: %j', (markdown, sentence) => {
  expect(firstSentence(markdown)).toBe(sentence);
});

/** What is passed on of these chunks, and what is answered, each as parsed lines. */
async function given(...chunks: (string | Buffer)[]) {
  const answers: unknown[] = [];
  const lines = messagesOf((line) => answers.push(JSON.parse(line)));
  for (const chunk of chunks) lines.write(chunk);
  lines.end();
  const passed = (await text(lines)).split('\n').filter(Boolean);
  return { passed: passed.map((line) => JSON.parse(line) as object), answers };
}

const request = (more: object) => ({ jsonrpc: '2.0', id: 1, method: 'tools/list', ...more });
const refusal = (code: number, message: string | RegExp, id: unknown = 1) => ({
  jsonrpc: '2.0',
  id,
  error: { code, message: expect.stringMatching(message) as string },
});

describe('A request of an agent', () => {
  it.each<[string, object, object]>([
    ['no params', request({}), request({})],
    ['params that are null', request({ params: null }), request({ params: {} })],
    ['params as JSON text', request({ params: '{"name":"read_state"}' }), request({ params: { name: 'read_state' } })],
  ])('with %s is passed on (behaviour 10.23.6)', async (_, sent, passed) => {
    expect(await given(`${JSON.stringify(sent)}\n`)).toEqual({ passed: [passed], answers: [] });
  });

  it.each<[unknown, RegExp]>([
    [[], /^Give an object, not a list, at params$/],
    ['text', /^Give an object, not a text, at params$/],
    ['[]', /^Give an object, not a text, at params$/],
    [5, /^Give an object, not a number, at params$/],
    [true, /^Give an object, not true or false, at params$/],
  ])('with params %j is answered with what would be right (behaviour 10.23.6)', async (params, right) => {
    const { passed, answers } = await given(`${JSON.stringify(request({ params }))}\n`);
    expect([passed, answers]).toEqual([[], [refusal(-32_602, right)]]);
  });

  it.each<[string, unknown, object]>([
    ['another method than a text', request({ method: 7 }), refusal(-32_600, /not a number, at method/)],
    ['no method', request({ method: undefined }), refusal(-32_600, /not nothing, at method/)],
    ['no version', request({ jsonrpc: undefined }), refusal(-32_600, /"2\.0" at jsonrpc/)],
    ['an id of a fraction', request({ id: 1.5 }), refusal(-32_600, /at id/, null)],
    ['an id that is null', request({ id: null }), refusal(-32_600, /at id/, null)],
    ['several messages', [request({})], refusal(-32_600, /an object, not a list, as a message/, null)],
    ['a text', 'ping', refusal(-32_600, /not a text/, null)],
    ['null', null, refusal(-32_600, /not null/, null)],
  ])('that is %s is answered (behaviour 10.23.6)', async (_, sent, answer) => {
    expect(await given(`${JSON.stringify(sent)}\n`)).toEqual({ passed: [], answers: [answer] });
  });

  it('that is no JSON is answered, and the next one is read (behaviour 10.23.6)', async () => {
    const { passed, answers } = await given('no JSON\n{"a":\n', `\n\r\n${JSON.stringify(request({}))}\n`);
    expect(answers).toEqual([refusal(-32_700, /not JSON/, null), refusal(-32_700, /not JSON/, null)]);
    expect(passed).toEqual([request({})]);
  });
});

it('A notification with wrong params and an answer get no answer', async () => {
  const notification = { jsonrpc: '2.0', method: 'notifications/initialized' };
  const answer = { jsonrpc: '2.0', id: 5, result: {} };
  const sent = [{ ...notification, params: [] }, notification, answer].map((each) => JSON.stringify(each));
  expect(await given(sent.join('\n'))).toEqual({ passed: [notification, answer], answers: [] });
});

it('A message is read across chunks that end within a letter', async () => {
  const bytes = Buffer.from(`${JSON.stringify(request({ params: { name: 'Überweisung €' } }))}\n`);
  const chunks = Array.from({ length: Math.ceil(bytes.length / 3) }, (_, at) => bytes.subarray(at * 3, at * 3 + 3));
  expect((await given(...chunks)).passed).toEqual([request({ params: { name: 'Überweisung €' } })]);
});
