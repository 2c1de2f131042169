import { randomUUID } from 'node:crypto';
import { describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '#server/clock.ts';
import { sandboxUpstream } from '#server/config.ts';
import { Failure } from '#server/failure.ts';
import { createUpstream } from '#server/upstream/client.ts';
import type { Limits } from '#server/upstream/http.ts';
import { sign } from '#server/upstream/signature.ts';
import { endpoints } from '#server/upstream/wire.ts';
import { silent } from '#tests/support/console.ts';
import { answering, fakeUpstream, unsignedJwt } from '#tests/support/fakeUpstream.ts';
import type { Script } from '#tests/support/fakeUpstream.ts';

const company = { organisationId: 'organisation', signingKey: 'signing-key', companyId: 'company' };
const health = { version: '1', branch: 'main', name: 'api' };
const subscription = { data: { subscriptionId: 's', providerId: 'p', status: 'Authorised' } };

function clientOf(url: string, limits: Partial<Limits> = {}) {
  const client = createUpstream({
    config: sandboxUpstream(url),
    clock: systemClock,
    newId: () => randomUUID(),
    log: silent,
    limits: { backOff: 1, ...limits },
  });
  onTestFinished(() => client.close());
  return client;
}

const problemOf = async (asking: Promise<unknown>) => {
  const error: unknown = await asking.catch((reason: unknown) => reason);
  if (!(error instanceof Failure)) throw new Error(`expected a Failure, got ${String(error)}`);
  return error.problem;
};

describe('failures of the service', () => {
  const failing = async (script: Script, limits?: Partial<Limits>) => {
    const service = await fakeUpstream({ [endpoints.consumerStatus]: script });
    return problemOf(clientOf(service.url, limits).health('consumer'));
  };

  it('unreachable: 502', async () => {
    expect(await problemOf(clientOf('http://127.0.0.1:1').health('consumer'))).toMatchObject({
      code: 'upstream-unreachable',
      status: 502,
    });
  });

  it('no answer in time: 504', async () => {
    expect(await failing(() => undefined, { headers: 50 })).toMatchObject({ code: 'upstream-timeout', status: 504 });
  });

  it('a body that stops in the middle: 504', async () => {
    const script: Script = (response) => void response.writeHead(200, { 'content-length': 100 }).write('{"ver');
    expect(await failing(script, { body: 50 })).toMatchObject({ code: 'upstream-timeout', status: 504 });
  });

  it('a connection cut in the middle of the body: 502, never a success', async () => {
    const script: Script = (response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': 100 });
      response.write('{"version":"1"', () => response.destroy());
    };
    expect(await failing(script)).toMatchObject({ code: 'upstream-invalid', status: 502 });
  });

  it('HTML instead of JSON: 502', async () => {
    const script: Script = (response) =>
      void response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>hi</h1>');
    expect(await failing(script)).toMatchObject({
      code: 'upstream-invalid',
      status: 502,
      detail: 'Expected JSON, received text/html.',
    });
  });

  it('JSON of another shape: 502, naming the field and not showing the body', async () => {
    const problem = await failing(answering({ version: '1', branch: 'secret' }));
    expect(problem).toMatchObject({ code: 'upstream-invalid', status: 502, errors: [{ path: 'name' }] });
    expect(JSON.stringify(problem)).not.toContain('secret');
  });

  it('an answer larger than the limit: 502', async () => {
    expect(await failing(answering({ ...health, name: 'x'.repeat(2000) }), { bytes: 1000 })).toMatchObject({
      code: 'upstream-invalid',
    });
  });

  it('a redirect: 502, not followed', async () => {
    const script: Script = (response) => void response.writeHead(302, { location: '/v3/elsewhere' }).end();
    expect(await failing(script)).toMatchObject({ code: 'upstream-refused', status: 502, upstream: { status: 302 } });
  });

  it('a refusal: its status, its sentence, its fields and its body', async () => {
    const body = {
      title: 'Unprocessable',
      status: 422,
      detail: 'Bank is wrong',
      errors: [{ path: 'bank', message: 'no' }],
    };
    expect(await failing(answering(body, 422))).toMatchObject({
      code: 'upstream-refused',
      status: 422,
      detail: 'Bank is wrong',
      errors: [{ path: 'bank', message: 'no' }],
      upstream: { status: 422, body: JSON.stringify(body) },
    });
  });

  it('a wrong API key: key-rejected', async () => {
    expect(await failing(answering({ title: 'Unauthorised', status: 401 }, 401))).toMatchObject({
      code: 'key-rejected',
      status: 401,
    });
  });

  it('its own failure: 502 with the evidence', async () => {
    expect(await failing(answering({}, 500))).toMatchObject({
      code: 'upstream-refused',
      status: 502,
      upstream: { status: 500 },
    });
  });
});

describe('repeats', () => {
  const overloadedOnce = (): Script => {
    let times = 0;
    return (response, asked) => answering(health, (times += 1) === 1 ? 503 : 200)(response, asked);
  };

  it('are made of reads, each with an interaction id of its own', async () => {
    const service = await fakeUpstream({ [endpoints.consumerStatus]: overloadedOnce() });
    expect(await clientOf(service.url).health('consumer')).toEqual(health);
    expect(new Set(service.asked.map(({ headers }) => headers['x-fapi-interaction-id'])).size).toBe(2);
  });

  it('are never made of writes', async () => {
    const service = await fakeUpstream({ [endpoints.batches]: answering({}, 503) });
    const batch = { externalId: 'e', requestedExecutionDateTime: 'd', payments: [] };
    await problemOf(clientOf(service.url).createBatch(company, batch, 'key'));
    expect(service.askedFor(endpoints.batches)).toHaveLength(1);
  });
});

describe('tokens', () => {
  const read = { [endpoints.subscriptions]: answering(subscription) };

  it('are obtained once for calls at the same time and kept afterwards', async () => {
    const service = await fakeUpstream(read);
    const client = clientOf(service.url);
    await Promise.all(Array.from({ length: 10 }, () => client.subscription(company, 's')));
    await client.subscription(company, 's');
    expect(service.askedFor(endpoints.accessToken)).toHaveLength(1);
    expect(service.askedFor(endpoints.subscriptions)).toHaveLength(11);
  });

  it('are asked for with nonce, signature, organisation and company', async () => {
    const service = await fakeUpstream(read);
    await clientOf(service.url).subscription(company, 's');
    const { headers } = service.askedFor(endpoints.accessToken)[0]!;
    expect(headers).toMatchObject({ 'x-organisation-id': 'organisation', 'x-company-id': 'company' });
    const url = service.url + endpoints.accessToken;
    expect(headers['x-signature']).toBe(
      sign({ method: 'POST', url, nonce: String(headers['x-nonce']), key: company.signingKey }),
    );
  });

  it('of organisation and company are different ones', async () => {
    const service = await fakeUpstream({
      ...read,
      [endpoints.createCompany]: answering({ companyId: 'c', organisationId: 'o' }),
    });
    const client = clientOf(service.url);
    const { organisationId, signingKey } = company;
    const body = {
      name: 'n',
      externalId: 'e',
      taxNumber: '1',
      standardIndustrialCode: '1',
      contactTelNo: '1',
      contactEmail: 'a@b.cd',
    };
    await client.createCompany({ organisationId, signingKey }, body, 'key');
    await client.subscription(company, 's');
    expect(service.askedFor(endpoints.accessToken).map(({ headers }) => headers['x-company-id'])).toEqual([
      undefined,
      'company',
    ]);
  });

  it('are renewed shortly before they expire', async () => {
    const service = await fakeUpstream({
      ...read,
      [endpoints.accessToken]: (response, asked) => answering({ jwt: unsignedJwt(20) })(response, asked),
    });
    const client = clientOf(service.url);
    await client.subscription(company, 's');
    await client.subscription(company, 's');
    expect(service.askedFor(endpoints.accessToken)).toHaveLength(2);
  });

  it('are renewed silently, once, when the service no longer takes them', async () => {
    let valid = false;
    const service = await fakeUpstream({
      [endpoints.subscriptions]: (response, asked) => {
        const script = valid ? answering(subscription) : answering({ title: 'expired', status: 401 }, 401);
        valid = true;
        return script(response, asked);
      },
    });
    const client = clientOf(service.url);
    expect((await client.subscription(company, 's')).data.status).toBe('Authorised');
    expect(service.askedFor(endpoints.accessToken)).toHaveLength(2);

    service.scripts[endpoints.subscriptions] = answering({ title: 'no', status: 401 }, 401);
    expect(await problemOf(client.subscription(company, 's'))).toMatchObject({ code: 'key-rejected' });
    expect(service.askedFor(endpoints.subscriptions)).toHaveLength(4);
  });
});

describe('definitions', () => {
  it('are fetched once for callers at the same time, apart by country and language', async () => {
    const service = await fakeUpstream({ [endpoints.providers]: answering({ data: [] }) });
    const client = clientOf(service.url);
    await Promise.all(Array.from({ length: 5 }, () => client.providers({ country: 'GB', language: 'en' })));
    await client.providers({ country: 'GB', language: 'en' });
    await client.providers({ country: 'GB', language: '' });
    await client.providers({ country: '', language: 'en' });
    expect(service.asked.map(({ path, headers }) => `${path} ${headers['x-accept-language'] ?? '-'}`)).toEqual([
      '/v3/providers?country=GB en',
      '/v3/providers?country=GB -',
      '/v3/providers en',
    ]);
  });

  it('are asked for again after a failure', async () => {
    const service = await fakeUpstream({ [endpoints.banks]: answering({}, 500) });
    const client = clientOf(service.url);
    await problemOf(client.banks());
    await problemOf(client.banks());
    expect(service.asked).toHaveLength(2);
  });
});

describe('payment files', () => {
  it('come from the service’s own origin without our credentials', async () => {
    const service = await fakeUpstream({ '/files': (response) => void response.end('the file') });
    expect(await clientOf(service.url).paymentFile(`${service.url}/files/1?token=t`)).toBe('the file');
    expect(service.asked[0]?.headers).not.toHaveProperty('authorization');
    expect(service.asked[0]?.headers).not.toHaveProperty('x-api-key');
  });

  it('are not fetched from anywhere else, nor through a redirect', async () => {
    const elsewhere = await fakeUpstream({ '/': answering('internal') });
    const service = await fakeUpstream({
      '/files': (response) => void response.writeHead(302, { location: `${elsewhere.url}/secret` }).end(),
    });
    const client = clientOf(service.url);
    const port = new URL(service.url).port;
    for (const link of [
      `${elsewhere.url}/secret`,
      'http://169.254.169.254/latest/meta-data',
      `http://localhost:${port}/files/1`,
      `http://user@127.0.0.1:${port}/files/1`,
      `${service.url}@evil.example/files/1`,
      'file:///etc/passwd',
      '/files/1',
    ])
      expect(await problemOf(client.paymentFile(link)), link).toMatchObject({ code: 'forbidden', status: 403 });
    expect(await problemOf(client.paymentFile(`${service.url}/files/1`))).toMatchObject({ upstream: { status: 302 } });
    expect(elsewhere.asked).toEqual([]);
  });
});
