import { describe, expect, it } from 'vitest';
import { parse } from '#contract/json.ts';
import { calls } from '#contract/calls.ts';
import { endpoints } from '#server/upstream/wire.ts';
import { consoleWithSandbox, testConsole } from '#tests/support/console.ts';
import { fakeUpstream, type Script } from '#tests/support/fakeUpstream.ts';
import { keptMessage } from '#tests/support/messages.ts';
import { here, temporaryFile, testStorage } from '#tests/support/storage.ts';

/** Numbers that JavaScript would change. */
const numbers = '{"large":9007199254740993,"amount":120.50,"small":1e-7,"list":[12345678901234567890,-0]}';

const text =
  (body: string, status = 200): Script =>
  (response) =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(body);

const answers = {
  [endpoints.providers]: `{"data":[{"providerId":"p","name":"n","country":["GB"],"accountType":{"validationRules":[]},"more":${numbers}}]}`,
  [`${endpoints.providers}/p`]: `{"data":{"providerId":"p","name":"n","country":["GB"],"accountType":{"validationRules":[]},"more":${numbers}}}`,
  [endpoints.fileFormats]: `{"data":[{"fileFormatId":"f","name":"n","specification":{"rules":[]},"more":${numbers}}]}`,
  [endpoints.localInstruments]: `{"data":[{"localInstrumentId":"l","name":"n","validationRules":[],"more":${numbers}}]}`,
  [endpoints.subscriptions]: `{"data":{"subscriptionId":"s","providerId":"p","status":"Authorised","more":${numbers}}}`,
  [endpoints.batches]: `{"data":{"batchId":"b","status":"Received","payments":[{"more":${numbers}}]}}`,
  [endpoints.consumerStatus]: `{"version":"1","branch":"b","name":"n","more":${numbers}}`,
};

async function connected() {
  const service = await fakeUpstream(
    Object.fromEntries(Object.entries(answers).map(([path, body]) => [path, text(body)])),
  );
  const server = await testConsole({ upstreamUrl: service.url });
  await server.store.settings.writeAll({ organisationId: 'o', companyId: 'c', companySigningKey: 'k' });
  return { service, server };
}

describe('Numbers in responses of the service', () => {
  it.each([
    calls.getProviders.path,
    '/api/providers/p',
    calls.getFileFormats.path,
    calls.getLocalInstruments.path,
    '/api/subscription/s',
    '/api/batchpayments/b',
    calls.getConsumerHealth.path,
  ])('reach the page with all digits: %s', async (path) => {
    const { server } = await connected();
    const response = await fetch(server.url + path);
    expect(await response.text()).toContain(`"more":${numbers}`);
    expect(response.headers.get('content-type')).toMatch(/^application\/json/);
  });

  it('are stored with all digits, in messages and in responses for replay', async () => {
    const { service, server } = await connected();
    const { messages } = server.store;
    const data = parse(`{"id":"s","properties":${numbers}}`) as { id: string }; // an object
    await messages.put('s', keptMessage({ data }));
    expect((await messages.get('s'))?.data).toEqual(data);
    expect((await messages.list())[0]?.data).toEqual(data);
    const { writes } = await testStorage(await temporaryFile());
    const claimed = { ...here, key: 'key', call: 'createBatch', fingerprint: 'print', serviceKey: 's' };
    const row = await writes.claim({ ...claimed, serviceTime: undefined, body: data });
    await writes.end(row!, { answer: data });
    expect(await writes.bodyOf(row!)).toEqual(data);
    expect((await writes.doneOf(row!))?.answer).toEqual(data);
    expect(service.asked).toEqual([]);
  });
});

describe('Numbers in requests to the console', () => {
  const send = (url: string, { method, path }: { method: string; path: string }, body: string) =>
    fetch(url + path, { method, headers: { 'content-type': 'application/json' }, body });

  it.each(['60000', '60000.0', '6e4', '6.0E+4'])('are read in any JSON notation: %s', async (move) => {
    const { url } = await consoleWithSandbox();
    const response = await send(url, calls.changeClock, `{"move":${move}}`);
    expect([response.status, await response.json()]).toMatchObject([200, { data: { offset: 60_000 } }]);
  });

  it('are read in a fault rule in any JSON notation', async () => {
    const { url } = await consoleWithSandbox();
    const fault = '{"kind":"status","status":5.03e2}';
    const rule = `{"on":"call","of":"any","fault":${fault},"times":2.0,"probability":0.50,"seed":1e1}`;
    const response = await send(url, calls.setFault, rule);
    expect(await response.json()).toMatchObject({
      data: { fault: { status: 503 }, times: 2, probability: 0.5, seed: 10 },
    });
  });

  it.each(['1', '1.10', '1e400'])('are reported as numbers where a string is required: %s', async (value) => {
    const { server } = await connected();
    const response = await send(server.url, calls.setSetting, `{"key":"useMock","value":${value}}`);
    const { detail } = (await response.json()) as { detail: string };
    expect(detail).toBe('The body is not valid. value: a text, not a number');
  });
});
