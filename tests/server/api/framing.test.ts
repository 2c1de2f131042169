import { describe, expect, it } from 'vitest';
import { testConsole } from '#tests/support/console.ts';
import { fakeUpstream, type Script } from '#tests/support/fakeUpstream.ts';
import { listening } from '#tests/support/listen.ts';

const head =
  (status: number, headers: Record<string, string> = {}): Script =>
  (response) =>
    void response.writeHead(status, headers).end();

/** What the console says of a provider's page with this answer to HEAD. */
async function framingOf(script: Script, path = '/authorise') {
  const service = await fakeUpstream({ '/authorise': script, '/refusing': head(200, { 'x-frame-options': 'DENY' }) });
  const { done } = await testConsole({ upstreamUrl: service.url });
  const { data } = await done('getFraming', { query: { link: service.url + path } });
  return { ...data, methods: service.asked.map(({ method }) => method) };
}

describe('a page for a frame', () => {
  it('is permitted by an answer that refuses nothing, and asked for with HEAD only (behaviour 4.56)', async () => {
    expect(await framingOf(head(200))).toEqual({ refusal: '', certain: false, methods: ['HEAD'] });
  });

  it.each<[status: number, headers: Record<string, string>, refusal: string, certain: boolean]>([
    [200, { 'x-frame-options': 'sameorigin' }, 'It answers with X-Frame-Options: sameorigin', true],
    [404, { 'x-frame-options': 'DENY' }, 'It answers with X-Frame-Options: DENY', true],
    [400, {}, 'It answers with status 400', false],
    [503, {}, 'It answers with status 503', false],
    [405, {}, '', false],
    [501, {}, '', false],
  ])(
    'that is answered with %i %o is refused with the words "%s", certainly: %s (behaviour 4.56)',
    async (status, headers, refusal, certain) => {
      expect(await framingOf(head(status, headers))).toMatchObject({ refusal, certain });
    },
  );

  it('is doubtful if it cannot be reached, or never stops redirecting', async () => {
    expect(await framingOf((response) => void response.destroy())).toMatchObject({
      refusal: expect.stringMatching(/^The console’s server cannot reach it \(/) as string,
      certain: false,
    });
    const endless = await framingOf(head(302, { location: '/authorise' }));
    expect(endless).toMatchObject({ refusal: 'It redirects more than 5 times', certain: false });
  });

  it('is judged by the answer to which it redirects', async () => {
    expect(await framingOf(head(302, { location: '/refusing' }))).toMatchObject({ certain: true });
  });

  it('is refused where it redirects to another origin, which is not asked (threat 2.32)', async () => {
    let asked = 0;
    const inside = await listening((_, response) => {
      asked += 1;
      response.end();
    });
    expect(await framingOf(head(302, { location: `${inside}/admin` }))).toMatchObject({
      refusal: `It leads to ${inside}, which this console does not show in frames`,
      certain: true,
    });
    expect(asked).toBe(0);
  });

  it.each(['http://169.254.169.254/latest', 'http://127.0.0.1:1/', 'file:///etc/passwd', 'javascript:alert(1)', 'x'])(
    'is asked for only at a configured origin, not at %s (threat 2.32)',
    async (link) => {
      const service = await fakeUpstream({});
      const { call } = await testConsole({ upstreamUrl: service.url });
      const reply = await call('getFraming', { query: { link } });
      expect([reply.status, !reply.ok && reply.problem.detail]).toEqual([400, `link: give a page at ${service.url} or ${service.url}.`]); // prettier-ignore
    },
  );
});
