import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endpoints } from '#tests/support/endpoints.ts';
import { header } from '#server/upstream/wire.ts';
import { eventually } from '#tests/support/eventually.ts';
import { apiAt } from '#tests/support/api.ts';
import { newConsole, type ConsoleProcess } from '#tests/support/consoleProcess.ts';
import { onboard } from '#tests/support/guidedPath.ts';
import { integratorAt } from '#tests/support/integrator.ts';
import { sandboxCredentials as credentials } from '#tests/support/sandboxCredentials.ts';

let program: ConsoleProcess;
beforeAll(async () => {
  program = await newConsole();
  await program.start();
}, 120_000);
afterAll(() => program.remove());

const common = { [header.application]: credentials.applicationId, [header.apiKey]: credentials.apiKey };

/** Calls the sandbox as a program of an integrator does; without an answer the status is 0. */
async function called(method: string, path: string, headers: Record<string, string> = {}, body: string | Buffer = '') {
  const mark = randomUUID();
  const calling = request(program.sandboxUrl + path, {
    method,
    headers: { 'x-fapi-interaction-id': mark, ...(body && { 'content-type': 'application/json' }), ...headers },
  }).end(body);
  const { status, answer } = await new Promise<{ status: number; answer: string }>((resolve) => {
    calling.on('error', () => resolve({ status: 0, answer: '' }));
    calling.on(
      'response',
      (response) => void text(response).then((read) => resolve({ status: response.statusCode ?? 0, answer: read })),
    );
  });
  const entry = await eventually(async () => {
    const { data } = await apiAt(program.url).done('getTimeline', { query: { kind: 'program', text: mark } });
    expect(data).toHaveLength(1);
    return data[0]!; // just checked
  });
  return { status, answer, entry };
}

describe('A program’s request to an embedded sandbox', () => {
  it('is recorded in the timeline with the interaction id that the program sent (behaviour 7.8)', async () => {
    const { entry, status } = await called('GET', '/v3/providers?country=GB', common);
    expect(entry).toMatchObject({
      kind: 'program',
      method: 'GET',
      status,
      url: `${program.sandboxUrl}/v3/providers?country=GB`,
    });
    expect([status, entry.wrong]).toEqual([200, undefined]);
  });

  it.each([
    [
      'compressed',
      { 'content-encoding': 'gzip' },
      gzipSync('{"name":"é"}'),
      { body: '{"name":"é"}', contentBytes: 13 },
    ],
    ['in another charset', { 'content-type': 'application/json; charset=latin1' }, Buffer.from('{"a":"é"}', 'latin1'), { body: '{"a":"é"}' }], // prettier-ignore
    [
      'no text',
      { 'content-type': 'image/png' },
      Buffer.from([0x89, 0, 1, 2]),
      { body: 'iQABAg==', encoding: 'base64' },
    ],
  ])(
    'with a body that is %s is recorded with the bytes as sent (behaviour 7.8, 7.22, 7.23)',
    async (_, headers, body, expected) => {
      const { entry, answer } = await called('POST', endpoints.batches, { ...common, ...headers }, body);
      expect(entry.request).toMatchObject({ ...expected, bytes: body.length });
      expect(entry.response).toMatchObject({ body: answer, bytes: Buffer.byteLength(answer) });
      expect(entry.response.headers).toMatchObject({ 'content-type': expect.stringContaining('json') as string });
    },
  );

  it('that gets no answer is recorded without one, with the fault of the lab (behaviour 7.23, 10.20.4)', async () => {
    await apiAt(program.url).done('setFault', {
      body: { on: 'call', of: 'any', fault: { kind: 'answerLost' }, times: 1, probability: 1, seed: 1 },
    });
    const { entry, status } = await called('GET', '/v3/providers?country=GB', common);
    expect([status, entry.status, entry.response.body]).toEqual([0, 0, '']);
    expect(entry.fault).toMatch(/^answerLost; rule=/);
    expect(entry.reason).toBe('No answer was sent: the connection was closed before.');
  });

  it('is recorded as such, unlike requests of the console, pages and the lab (behaviour 7.8)', async () => {
    const counted = async () =>
      (await apiAt(program.url).done('getTimeline', { query: { kind: 'program', limit: '100' } })).data.length;
    const before = await counted();
    await onboard(apiAt(program.url));
    await fetch(`${program.sandboxUrl}/`);
    await fetch(`${program.sandboxUrl}/sandbox/clock`);
    const { entry } = await called('GET', '/v3/providers', common);
    expect(entry.kind).toBe('program');
    expect((await counted()) - before).toBe(1);
  });

  it('is accepted with the same program token after a restart (behaviour 7.15)', async () => {
    const integrator = await integratorAt(program.url);
    await program.stop('SIGTERM');
    await program.start();
    expect((await integrator.called('GET', '/v3/providers?country=GB', common)).status).toBe(200);
  });
});
