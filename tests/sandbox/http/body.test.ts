import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { maximumElements } from '#server/http/json.ts';
import { catalogue } from '#server/sandbox/catalogue/index.ts';
import { pathOf } from '#contract/serviceCalls.ts';
import { endpoints, header } from '#server/upstream/wire.ts';
import { organisation, testSandbox } from '../harness.ts';
import { sandboxCredentials } from '#tests/support/sandboxCredentials.ts';
import { executionDate } from '#tests/support/executionDate.ts';

const listOf = (element: string, bytes: number) => `[${`${element},`.repeat(bytes / (element.length + 1))}${element}]`;
const batch = (payments: string) =>
  `{"data":{"subscriptionId":"s","externalId":"e","requestedExecutionDateTime":"${executionDate}","payments":${payments}}}`;

/** A sandbox with a company, and how to post a text to it in the company's name. */
async function opened() {
  const sandbox = await testSandbox();
  const company = await sandbox.authorised();
  const post = (path: string, body: string, type = 'application/json') =>
    fetch(sandbox.url() + path, {
      method: 'POST',
      headers: {
        'content-type': type,
        authorization: `Bearer ${company.token}`,
        [header.application]: sandboxCredentials.applicationId,
        [header.apiKey]: sandboxCredentials.apiKey,
        [header.interaction]: randomUUID(),
      },
      body,
    });
  return { sandbox, post, ...company };
}

describe('a body that is large and wrong', () => {
  it.each([
    ['a million invalid payments', batch(listOf('0', 2_000_000)), 'holds a list with more than'],
    ['as many empty payments as may come', batch(listOf('{}', 3 * (maximumElements - 1))), ''],
    ['as many payments with one member', batch(listOf('{"x":0}', 8 * (maximumElements - 1))), 'too large'],
    ['as many wrong amounts as may come', batch(listOf('{"instructedAmount":{"amount":"x"}}', 1_500_000)), ''],
    ['nesting without end', batch('['.repeat(100_000)), 'nested too deeply'],
    ['no JSON', 'x'.repeat(1_000_000), 'is not JSON'],
  ])('is refused with few faults: %s (threat 6.17)', async (_, body, reason) => {
    const { post } = await opened();
    const answer = await post(endpoints.batches, body);
    const text = await answer.text();
    expect(answer.status, text).toBe(400);
    expect(text).toContain(reason);
    expect(text.length).toBeLessThan(8000);
  });

  it('is refused with a limited number of errors for a subscription’s data, a text that contains JSON', async () => {
    const { post, organisationId } = await opened();
    const data = { providerId: 'provider-authorises', additionalData: `{"a":${listOf('0', 2_000_000)}}` };
    const answer = await post(pathOf('createSubscription', organisationId), JSON.stringify({ data }));
    expect([answer.status, (await answer.text()).length < 1000]).toEqual([400, true]);
  });

  it('is refused without a token as well, before anything is checked', async () => {
    const { sandbox } = await opened();
    const answer = await fetch(sandbox.url() + endpoints.createOrganisation, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...organisation, more: Array.from({ length: 300_000 }, () => 0) }),
    });
    expect([answer.status, (await answer.text()).length < 1000]).toEqual([400, true]);
  });

  it('is refused with a limited number of broken rules (threat 6.17)', () => {
    const provider = catalogue.providersFor('GB').find((each) => catalogue.rulesOf(each, 'BatchPayments').length > 0);
    expect(provider).toBeDefined();
    const payments = Array.from({ length: 100_000 }, () => ({}));
    const found = catalogue.violations(catalogue.rulesOf(provider!, 'BatchPayments'), { payments }); // just expected
    expect(found).toHaveLength(2000);
  });
});

describe('a body with what cannot be kept as it is', () => {
  it.each(['"a\\u0000":1', '"more":["\\ud800"]', '"__proto__":{"x":1}', '"toJSON":1'])(
    'is refused: %s',
    async (member) => {
      const { post, subscriptionId } = await opened();
      const body = `{"data":{"subscriptionId":"${subscriptionId}","creditorId":"${randomUUID()}",${member}}}`;
      expect((await post(`${endpoints.messaging}/creditorputs`, body)).status).toBe(400);
    },
  );

  it('is refused in a form', async () => {
    const { post } = await opened();
    const form = 'application/x-www-form-urlencoded';
    const path = `${endpoints.transferRequest}?amount=1.00&currency=USD`;
    expect((await post(path, 'email=a%40example.com&message=%00', form)).status).toBe(400);
    expect((await post(path, 'email=a%40example.com&message=m', form)).status).toBe(201);
  });
});

describe('numbers', () => {
  const numbers = '[12345678901234567890.50,1e3,-0,120.50]';

  it('are stored, returned and sent in webhooks digit by digit', async () => {
    const { sandbox, post, subscriptionId } = await opened();
    const debtor = `{"data":{"subscriptionId":"${subscriptionId}","debtorId":"${randomUUID()}","debtorAccount":{"identification":"12345678","more":${numbers}}}}`;
    expect((await post(`${endpoints.messaging}/debtoraccountputs`, debtor)).status).toBe(202);
    const query = `{"data":{"subscriptionId":"${subscriptionId}"}}`;
    expect((await post(`${endpoints.messaging}/debtoraccountlistqueries`, query)).status).toBe(202);
    expect((await sandbox.webhook('debtoraccountlistqueryresponses')).text).toContain(`"more":${numbers}`);
  });

  it('of a subscription’s data are as well', async () => {
    const { sandbox, post, organisationId, token } = await opened();
    const data = { providerId: 'provider-authorises', additionalData: `{"account":"12345678","more":${numbers}}` };
    const answer = await post(pathOf('createSubscription', organisationId), JSON.stringify({ data }));
    const { subscriptionId } = ((await answer.json()) as { data: { subscriptionId: string } }).data; // as created
    const read = await sandbox.call('GET', `${endpoints.subscriptions}/${subscriptionId}`, { token });
    expect(read.body.data.additionalData).toBe(data.additionalData);
  });
});
