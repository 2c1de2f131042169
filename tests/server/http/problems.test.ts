import Koa from 'koa';
import { expect, it } from 'vitest';
import { problemResponses } from '#server/http/problems.ts';
import { security } from '#server/http/security.ts';
import { postgresError } from '#server/storage/errors.ts';
import { silent, testConsole } from '#tests/support/console.ts';
import { fakeUpstream } from '#tests/support/fakeUpstream.ts';
import { listening } from '#tests/support/listen.ts';
import { upstreamAt } from '#tests/support/sandboxCredentials.ts';

const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

it.each(['ECONNREFUSED', '25006'])(
  'While the database is unavailable (%s), a page answers 503 with HTML that reloads; an API call gets a problem',
  async (code) => {
    const app = new Koa();
    app.use(security(upstreamAt('http://127.0.0.1:1'), undefined));
    app.use(problemResponses(silent));
    app.use(() => {
      throw postgresError('the database', Object.assign(new Error('it takes no queries'), { code }));
    });
    const handle = app.callback();
    const url = await listening((request, response) => void handle(request, response));

    const page = await fetch(`${url}/debtors`, { headers: browser });
    expect(page.status).toBe(503);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.headers.get('retry-after')).toBe('2');
    expect(page.headers.get('cache-control')).toBe('no-store');
    const text = await page.text();
    expect(text).toContain('The console’s database could not be reached.');
    expect(text).toContain('<meta http-equiv="refresh" content="2" />');

    for (const [path, init] of [
      ['/debtors', {}],
      ['/api/debtors', { headers: browser }],
      ['/readyz', { headers: browser }],
      ['/debtors', { method: 'POST', headers: browser }],
    ] as const) {
      const answer = await fetch(url + path, init);
      expect(answer.headers.get('content-type'), path).toMatch(/^application\/problem\+json/);
    }
  },
);

it('A browser that opens an unknown path gets an escaped 404 page that does not reload', async () => {
  const { url } = await testConsole({ upstreamUrl: (await fakeUpstream({})).url });
  const answer = await fetch(`${url}/<b>.html`, { headers: browser });
  const text = await answer.text();
  expect(answer.status).toBe(404);
  expect(text).toContain('The console has nothing at GET');
  expect(text).not.toContain('http-equiv');
  expect(text).not.toContain('<b>');
});
