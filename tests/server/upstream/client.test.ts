import { describe, expect, it } from 'vitest';
import { sign } from '#server/upstream/signature.ts';
import { systemClock } from '#server/clock.ts';
import { endpoints } from '#server/upstream/wire.ts';
import { answering, fakeUpstream, unsignedJwt } from '#tests/support/fakeUpstream.ts';
import { clientOf, company, problemOf, subscription } from '#tests/support/client.ts';
import { filled } from '#tests/support/bodies.ts';

describe('The upstream client', () => {
  const read = { [endpoints.subscriptions]: answering(subscription) };

  it('requests one access token for concurrent requests, and caches it (wire 2.2.5)', async () => {
    const service = await fakeUpstream(read);
    const client = clientOf(service.url);
    await Promise.all(Array.from({ length: 10 }, () => client.subscription(company, 's')));
    await client.subscription(company, 's');
    expect(service.askedFor(endpoints.accessToken)).toHaveLength(1);
    expect(service.askedFor(endpoints.subscriptions)).toHaveLength(11);
  });

  it('requests an access token with nonce, signature, organisation and company', async () => {
    const service = await fakeUpstream(read);
    await clientOf(service.url).subscription(company, 's');
    const { headers } = service.askedFor(endpoints.accessToken)[0]!;
    expect(headers).toMatchObject({ 'x-organisation-id': 'organisation', 'x-company-id': 'company' });
    const url = service.url + endpoints.accessToken;
    expect(headers['x-signature']).toBe(
      sign({ method: 'POST', url, nonce: String(headers['x-nonce']), key: company.signingKey }),
    );
  });

  it('uses different access tokens for an organisation and its company', async () => {
    const service = await fakeUpstream({
      ...read,
      [endpoints.createCompany]: answering({ companyId: 'c', organisationId: 'organisation' }),
    });
    const client = clientOf(service.url);
    const { organisationId, signingKey } = company;
    const body = filled('company');
    await client.createCompany({ organisationId, signingKey }, body, 'key');
    await client.subscription(company, 's');
    expect(service.askedFor(endpoints.accessToken).map(({ headers }) => headers['x-company-id'])).toEqual([
      undefined,
      'company',
    ]);
    // A company is created with the organisation's token and signed with its key (issue, "The server").
    const { headers, body: sent } = service.askedFor(endpoints.createCompany)[0]!;
    const url = service.url + endpoints.createCompany;
    expect(headers.authorization).toMatch(/^Bearer eyJ/);
    expect(headers['x-signature']).toBe(
      sign({ method: 'POST', url, body: sent, nonce: String(headers['x-nonce']), key: signingKey }),
    );
  });

  it('renews an access token shortly before it expires', async () => {
    const service = await fakeUpstream({
      ...read,
      [endpoints.accessToken]: answering({ jwt: unsignedJwt(1200) }),
    });
    let later = 0;
    const clock = { ...systemClock, now: () => Date.now() + later, steady: () => systemClock.steady() + later };
    const client = clientOf(service.url, {}, clock);
    for (const [seconds, tokens] of [
      [0, 1],
      [1165, 1],
      [1175, 2],
    ] as const) {
      later = seconds * 1000;
      await client.subscription(company, 's');
      expect(service.askedFor(endpoints.accessToken)).toHaveLength(tokens);
    }
  });

  it('renews an access token once when the service rejects it', async () => {
    let valid = false;
    const service = await fakeUpstream({
      [endpoints.subscriptions]: (response, asked) => {
        const script = valid ? answering(subscription) : answering({ title: 'expired', status: 401, code: 'No' }, 401);
        valid = true;
        return script(response, asked);
      },
    });
    const client = clientOf(service.url);
    expect((await client.subscription(company, 's')).data.status).toBe('Authorised');
    expect(service.askedFor(endpoints.accessToken)).toHaveLength(2);

    service.scripts[endpoints.subscriptions] = answering({ title: 'no', status: 401, code: 'No' }, 401);
    expect(await problemOf(client.subscription(company, 's'))).toMatchObject({ code: 'key-rejected' });
    expect(service.askedFor(endpoints.subscriptions)).toHaveLength(4);
  });
});

describe('The upstream client’s definitions', () => {
  it('are requested once for concurrent callers, separately by country and language', async () => {
    const service = await fakeUpstream({ [endpoints.providers]: answering({ data: [] }) });
    const client = clientOf(service.url);
    await Promise.all(Array.from({ length: 5 }, () => client.providers({ country: 'GB', language: 'en' })));
    await client.providers({ country: 'GB', language: 'en' });
    await client.providers({ country: 'GB', language: '' });
    await client.providers({ country: '', language: 'en' });
    expect(service.asked.map(({ path, headers }) => `${path} ${String(headers['x-accept-language'] ?? '-')}`)).toEqual([
      '/v3/providers?country=GB en',
      '/v3/providers?country=GB -',
      '/v3/providers en',
    ]);
  });

  it('are requested again after a failure', async () => {
    const service = await fakeUpstream({ [endpoints.banks]: answering({}, 500) });
    const client = clientOf(service.url);
    await problemOf(client.banks());
    await problemOf(client.banks());
    expect(service.asked).toHaveLength(2);
  });
});

describe('The upstream client’s payment files', () => {
  it('are requested from the service’s own origin, without credentials (threat 3.22; wire 2.1.4)', async () => {
    const service = await fakeUpstream({ '/files': (response) => void response.end('the file') });
    const { bytes } = await clientOf(service.url).paymentFile(`${service.url}/files/1?token=t`);
    expect(Buffer.from(bytes).toString()).toBe('the file');
    expect(service.asked[0]?.headers).not.toHaveProperty('authorization');
    expect(service.asked[0]?.headers).not.toHaveProperty('x-api-key');
  });

  it('are not requested from any other URL, nor through a redirect (threat 3.22)', async () => {
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
    expect((await problemOf(client.paymentFile(`${elsewhere.url}/file`))).detail).toContain('PAYMENT_FILE_ORIGINS');
  });
});
