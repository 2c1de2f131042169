import { describe, expect, it } from 'vitest';
import type { Limits } from '#server/upstream/http.ts';
import { endpoints } from '#server/upstream/wire.ts';
import { answering, fakeUpstream } from '#tests/support/fakeUpstream.ts';
import type { Script } from '#tests/support/fakeUpstream.ts';
import { clientOf, company, health, problemOf } from '#tests/support/client.ts';

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
