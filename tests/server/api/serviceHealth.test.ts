import { describe, expect, it } from 'vitest';
import { endpoints } from '#server/upstream/wire.ts';
import { testConsole } from '#tests/support/console.ts';
import { answering, fakeUpstream } from '#tests/support/fakeUpstream.ts';

const row = { version: '1', branch: 'main', name: 'api' };

async function consoleAt(body: unknown, status = 200) {
  const script = answering(body, status);
  const service = await fakeUpstream({ [endpoints.consumerStatus]: script, [endpoints.messagingStatus]: script });
  return testConsole({ upstreamUrl: service.url, limits: { backOff: 1, budget: 1 } });
}

describe.each(['getConsumerHealth', 'getMessagingHealth'] as const)('%s', (name) => {
  it.each([
    [{ ...row, status: 'DOWN' }, 200, 'DOWN'],
    [{ ...row, status: 'UP' }, 200, 'UP'],
    [{ data: { ...row, status: 'degraded' } }, 200, 'degraded'],
    [{ ...row, status: true }, 200, 'true'],
    [row, 200, 'Up'],
    [{ ...row, status: '' }, 200, 'Up'],
    [{ ...row, status: 'DOWN' }, 503, 'DOWN (HTTP 503)'],
    [{ ...row, status: 'UP' }, 503, 'UP (HTTP 503)'],
    [{ data: row }, 500, 'HTTP 500'],
  ])(
    'returns the status that the service reports: %j with HTTP %i (behaviour 2.4)',
    async (body, httpStatus, status) => {
      const { done } = await consoleAt(body, httpStatus);
      expect((await done(name)).data).toMatchObject({ ...row, status, httpStatus });
    },
  );

  it('returns empty version fields if the service reports a status only', async () => {
    const { done } = await consoleAt({ status: 'DOWN' }, 503);
    expect((await done(name)).data).toMatchObject({ version: '', status: 'DOWN (HTTP 503)' });
  });

  it.each([
    [{ title: 'Unavailable', status: 503 }, 503, 'upstream-busy'],
    [{ error: { code: 'x', message: 'y' } }, 500, 'upstream-failed'],
    [{ status: 'DOWN', ...row }, 401, 'key-rejected'],
    [{}, 200, 'upstream-invalid'],
    ['', 503, 'upstream-busy'],
  ])('fails if the response is no health report: %j with HTTP %i (behaviour 2.4)', async (body, httpStatus, code) => {
    const { refused } = await consoleAt(body, httpStatus);
    expect(await refused(name)).toMatchObject({ code });
  });
});

it('GET /readyz reports the service as unavailable if its health check answers 503', async () => {
  const { url } = await consoleAt({ ...row, status: 'UP' }, 503);
  const readiness = await fetch(`${url}/readyz`);
  expect(await readiness.json()).toMatchObject({ upstream: false });
});
