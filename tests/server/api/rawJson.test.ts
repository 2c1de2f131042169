import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createActor, waitFor } from 'xstate';
import { batch } from '#app/effects/batch.ts';
import { bankFiles, providers } from '#app/effects/lookup.ts';
import { stringify } from '#contract/json.ts';
import { visibleText } from '#contract/text.ts';
import { endpoints } from '#tests/support/endpoints.ts';
import { linesOf } from '#ui/json/lines.ts';
import { testConsole } from '#tests/support/console.ts';
import { fakeUpstream, type Script } from '#tests/support/fakeUpstream.ts';
import { everything } from '#tests/support/facts.ts';

const page = vi.hoisted(() => ({
  call: (name: string, _: object): Promise<unknown> => Promise.reject(new Error(name)),
}));
vi.mock('#app/client/client.ts', () => ({ call: (name: string, request: object) => page.call(name, request) }));

/** Members whose order, names or numbers JavaScript would change, and values that the console normalises. */
const strange = String.raw`"10":null,"2":1.0,"amount":10.00,"large":9007199254740993,"repeated":1,"repeated":{"a":1e2,"a":[]},"__proto__":{"b":-0},"toJSON":"","constructor":{},"odd \u0000 name":"\u0007\u202e \ud800 \" \\ é","none":null,"status":"COMPLETED"`;

const anyProvider = `{"name":"n","providerId":"p","country":null,${strange}}`;
const sent = {
  [endpoints.providers]: `{"meta":{${strange}},"data":[${anyProvider},${anyProvider},null,{"providerId":7},"text"],"skipped":1,"raw":{}}`,
  [endpoints.fileFormats]: `{"data":[{"fileFormatId":"f","name":1.50,"specification":{"rules":[null,{${strange}}]}}]}`,
  [endpoints.batches]: `{"links":{"self":null,"paymentFile":"http://bank.test/1?token=eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl"},"data":{"payments":[{${strange}},null],${strange},"batchId":"b"},"error":{"detail":[{"index":"x","index":0}]}}`,
};

const written =
  (body: string): Script =>
  (response) =>
    void response.writeHead(200, { 'content-type': 'application/json' }).end(body);

/** The JSON that a page shows and copies, without line breaks and indentation. */
function textOf(raw: unknown): { shown: string; copied: string } {
  const everyBranch = { get: () => true } as unknown as ReadonlyMap<string, boolean>; // all that linesOf uses of it
  const shown = linesOf(raw, everyBranch)
    .map(({ name, text, comma }) => `${name === undefined ? '' : `"${name}":`}${text}${comma ? ',' : ''}`)
    .join('');
  return { shown, copied: visibleText(stringify(raw)) };
}

beforeEach(async () => {
  const service = await fakeUpstream(Object.fromEntries(Object.entries(sent).map(([at, body]) => [at, written(body)])));
  const server = await testConsole({ upstreamUrl: service.url });
  await server.store.settings.writeAll({ organisationId: 'o', companyId: 'c', companySigningKey: 'k' });
  page.call = (name, request) => server.done(name as 'getProviders', request);
});

describe('The raw JSON view preserves the response', () => {
  it.each([
    ['providers', endpoints.providers, providers],
    ['bank files', endpoints.fileFormats, bankFiles],
  ] as const)(
    'for %s: member order, repeated members, nulls, digits and unreadable elements (behaviour 3.15)',
    async (_, path, journey) => {
      const input = { ...journey.input(new URLSearchParams()), facts: everything };
      const actor = createActor(journey.machine as typeof providers.machine, { input }).start(); // they differ in their results only
      const { context } = await waitFor(actor, (snapshot) => snapshot.matches('shown'));
      expect(textOf(context.result?.raw)).toEqual({ shown: sent[path], copied: sent[path] });
    },
  );

  it('for a batch: also its errors, links with that of its file, and unmapped status (behaviour 3.15, 3.16)', async () => {
    const actor = createActor(batch.machine, { input: { facts: everything, batchId: 'b' } }).start();
    const { context } = await waitFor(actor, (snapshot) => snapshot.matches('settled'));
    expect(textOf(context.view?.raw)).toEqual({ shown: sent[endpoints.batches], copied: sent[endpoints.batches] });
    expect(context.view?.batch.status).toBe('COMPLETED');
  });
});
