import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { messagesOf } from '#command/mcp/lines.ts';

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
