import { textOf } from '#tests/support/api.ts';
import { describe, expect, it } from 'vitest';
import { paymentForm } from '#rules/field.ts';
import { endpoints } from '#tests/support/endpoints.ts';
import { company } from '#tests/support/client.ts';
import { consoleWithSandbox, testConsole } from '#tests/support/console.ts';
import { answering, fakeUpstream, type Script } from '#tests/support/fakeUpstream.ts';
import { batchIn, pay, walk } from '#tests/support/guidedPath.ts';

const record = { status: 'Received', amount: '1.00 GBP', kind: 'file', postedAt: '2026-01-01T00:00:00Z' } as const;

/** A console whose company has two batches with files, and a service that names the files as `linkOf` says. */
async function twoBatches(linkOf: (batchId: string, url: string, reading: number) => string) {
  let readings = 0;
  const batch: Script = (response, asked) => {
    const batchId = asked.path.split('/').at(-1)!; // the path has it
    const links = { paymentFile: linkOf(batchId, service.url, (readings += 1)) };
    void answering({ data: { batchId, status: 'PaymentFileAvailable' }, links })(response, asked);
  };
  const service = await fakeUpstream({
    '/': (response, { path }) => void response.end(`answer to ${path}`),
    [endpoints.batches]: batch,
  });
  const server = await testConsole({ upstreamUrl: service.url });
  const { organisationId, companyId, signingKey: companySigningKey } = company;
  await server.store.settings.writeAll({ organisationId, companyId, companySigningKey });
  for (const batchId of ['batch-1', 'batch-2']) await server.store.batches.put(batchId, { batchId, ...record });
  return { ...server, service };
}

describe('A payment file’s link', () => {
  it.each([
    ['the home page of the service', (url: string) => `${url}/`],
    ['the control of the service', (url: string) => `${url}/control/reset`],
    ['another file of the service', (url: string) => `${url}/files/batch-3?token=t`],
    ['another host', () => 'http://169.254.169.254/latest/meta-data'],
    ['no address', () => 'batch'],
  ])('is refused unless it belongs to a batch of the company: %s (threat 3.23)', async (_, linkTo) => {
    const { service, refused } = await twoBatches((id, url) => `${url}/files/${id}?token=t`);
    const { code, detail } = await refused('downloadPaymentFile', { params: { link: linkTo(service.url) } });
    expect(code).toBe('forbidden');
    expect(detail).toContain('none of the company’s latest batches');
    const others = service.asked.filter(({ path }) => !path.startsWith(endpoints.batches));
    expect(others.every(({ path }) => path === endpoints.accessToken)).toBe(true);
  });

  it('with a batch’s id is not requested itself: the console requests the batch’s current link', async () => {
    const { service, done } = await twoBatches((id, url, reading) => `${url}/files/${id}?token=${reading}`);
    for (const link of [
      `${service.url}/files/batch-1?token=expired`,
      `${service.url}/control/reset?batch=batch-1`,
      'http://elsewhere.example/batch-1',
    ])
      expect(textOf(await done('downloadPaymentFile', { params: { link } }))).toMatch(
        /^answer to .files.batch-1.token=\d$/,
      );
  });

  it('without a batch’s id is matched to its batch by origin and path', async () => {
    const { service, done } = await twoBatches((id, url) => `${url}/${id === 'batch-1' ? 'one' : 'two'}?token=t`);
    for (const at of ['one', 'two'])
      expect(textOf(await done('downloadPaymentFile', { params: { link: `${service.url}/${at}?token=old` } }))).toBe(
        `answer to /${at}?token=t`,
      );
  });

  it('is not checked if the request names the batch', async () => {
    const { done } = await twoBatches((_, url, reading) => `${url}/${reading}`);
    const asked = { params: { link: 'http://any.example/' }, query: { batchId: 'batch-3' } };
    expect(textOf(await done('downloadPaymentFile', asked))).toMatch(/^answer to .\d$/);
  });

  it('of a batch without a file is refused with the batch’s status', async () => {
    const server = await consoleWithSandbox();
    const { subscriptionId, rules } = await walk(server);
    const batchId = await pay(server, subscriptionId, paymentForm(rules));
    const asked = { params: { link: `http://any.example/${batchId}` } };
    expect(await server.refused('downloadPaymentFile', asked)).toMatchObject({
      code: 'not-found',
      detail: expect.stringContaining('has no payment file: its status is') as string,
    });
    const filed = (await server.done('getFileFormats')).data[0]!;
    const form = paymentForm(rules, filed.specification.rules);
    const other = await pay(server, subscriptionId, form, filed.fileFormatId, true);
    const { links } = await batchIn(server, 'PaymentFileAvailable', other);
    expect(textOf(await server.done('downloadPaymentFile', { params: { link: links!.paymentFile! } }))).not.toBe('');
  });
});
