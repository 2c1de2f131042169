import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import Koa from 'koa';
import { version } from '#server/version.ts';
import { testConsole, silent } from '#tests/support/console.ts';
import { fakeUpstream } from '#tests/support/fakeUpstream.ts';
import { temporaryFolder } from '#tests/support/store.ts';
import { problemResponses } from '#server/http/problems.ts';
import { security } from '#server/http/security.ts';
import { postgresError } from '#server/storage/errors.ts';
import { ask } from '#tests/support/integrator.ts';
import { listening } from '#tests/support/listen.ts';
import { upstreamAt } from '#tests/support/sandboxCredentials.ts';

async function served(environment: 'live' | 'sandbox' = 'sandbox', upstreamUrl?: string) {
  const pageFolder = temporaryFolder();
  mkdirSync(join(pageFolder, 'assets'));
  writeFileSync(
    join(pageFolder, 'index.html'),
    '<head><meta property="csp-nonce" nonce="__CSP_NONCE__"></head><div id="root">',
  );
  mkdirSync(join(pageFolder, '.vite'));
  for (const rendered of ['live', 'sandbox'])
    writeFileSync(
      join(pageFolder, `.vite/home.${rendered}.html`),
      `<head><style nonce="__CSP_NONCE__"></style></head><div id="root"><h1>Home, ${rendered}</h1></div>`,
    );
  writeFileSync(join(pageFolder, '.vite/routes.json'), '{"/settings":["/assets/settings-abc123.js"],"/debtors":[],"/journeys/debtor":[]}'); // prettier-ignore
  for (const name of ['debtors', 'chart', 'routes'])
    writeFileSync(join(pageFolder, `.vite/${name}.sandbox.html`), `<head></head><div id="root">Frame of ${name}</div>`);
  writeFileSync(join(pageFolder, 'assets/main-abc123.js'), 'export {}');
  writeFileSync(join(pageFolder, 'jwtredirect.html'), '<p>redirect</p>');
  return testConsole({
    upstreamUrl: upstreamUrl ?? (await fakeUpstream({})).url,
    pageFolder,
    changes: { environment },
  });
}

/** Values of Accept-Encoding, and the encoding of the response. */
const accepted = [
  ['gzip, deflate, br', 'br'],
  ['gzip;q=0.5, br;q=0.9', 'br'],
  ['gzip', 'gzip'],
  ['br;q=0, gzip', 'gzip'],
  ['br;q=0, gzip;q=0', undefined],
  ['identity', undefined],
  ['', undefined],
] as const;
const decoded = { br: brotliDecompressSync, gzip: gunzipSync };

describe('The page server', () => {
  it.each([
    ['/debtors', 'Frame of debtors'],
    ['/debtors?guided=true', 'Frame of debtors'],
    ['/journeys/debtor', 'Frame of chart'],
    ['/', 'Home, sandbox'],
    ['/settings', '<div id="root">'], // not rendered by the build
    ['/routes', '<div id="root">'],
    ['/journeys/nothing', '<div id="root">'],
    ['/console/debtors', '<div id="root">'],
    ['/..%2f.vite/debtors', '<div id="root">'],
  ])('sends %s as the build has rendered it, and any other path empty (behaviour 2.14)', async (path, content) => {
    const { url } = await served();
    const text = await (await fetch(url + path)).text();
    expect(text).toContain(content);
    expect(text.includes('Frame of')).toBe(content.includes('Frame of'));
  });

  it('sends the page with a new nonce, equal to that of its content security policy (threat 1.4)', async () => {
    const { url } = await served();
    const nonces = [];
    const paths = ['/', '/settings', '/getaccesstoken?guided=true', '/index.html', '/index.html?x=1'];
    for (const path of paths) {
      const response = await fetch(url + path);
      const text = await response.text();
      expect(text, path).not.toContain('__CSP_NONCE__');
      const nonce = /nonce="([^"]+)"/.exec(text)?.[1];
      const policy = response.headers.get('content-security-policy');
      expect(policy).toContain(`style-src 'self' 'nonce-${nonce}'`);
      expect(policy).toContain("script-src 'self';");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(response.headers.get('cache-control')).toBe('no-store');
      nonces.push(nonce);
    }
    expect(new Set(nonces).size).toBe(paths.length);
  });

  it.each(['live', 'sandbox'] as const)(
    'has the home page prerendered for the %s service, and names the environment, also while it is down (behaviour 10.18.1)',
    async (environment) => {
      const { url } = await served(environment, 'http://127.0.0.1:9');
      const [home, settings] = [await (await fetch(url)).text(), await (await fetch(`${url}/settings`)).text()];
      expect(home).toContain(`<h1>Home, ${environment}</h1>`);
      expect(settings).not.toContain('<h1>');
      for (const text of [home, settings])
        expect(text).toContain(`<meta name="environment" content="${environment}" />`);
      expect((await fetch(`${url}/.vite/routes.json`)).status).toBe(404);
    },
  );

  it('sends headers against foreign scripts, framing, type sniffing and referrers (threat 1.4)', async () => {
    const { url, config } = await served();
    for (const path of ['/', '/api/settings', '/api/nothing', '/healthz']) {
      const { headers } = await fetch(url + path);
      const policy = headers.get('content-security-policy') ?? '';
      expect(policy, path).not.toContain('unsafe');
      expect(policy).toContain(`frame-src ${new URL(config.upstream.providerUrl).origin};`);
      expect(policy).toContain("default-src 'self';");
      expect(policy.includes("style-src 'self';"), path).toBe(path !== '/');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
    }
  });

  it('lets browsers cache hashed files as immutable, and makes them revalidate others (behaviour 10.18.7)', async () => {
    const { url } = await served();
    const hashed = await fetch(`${url}/assets/main-abc123.js`);
    expect(hashed.headers.get('cache-control')).toBe('max-age=31536000,immutable');
    expect(hashed.headers.get('content-type')).toContain('javascript');
    expect((await fetch(`${url}/jwtredirect.html`)).headers.get('cache-control')).toBe('no-cache');
  });

  it.each(accepted)(
    'compresses a response for Accept-Encoding "%s", with Vary (behaviour 10.18.6)',
    async (accepts, encoding) => {
      const { url, config } = await served();
      const file = join(config.pageFolder, 'assets/main-abc123.js');
      writeFileSync(`${file}.br`, brotliCompressSync('export {}'));
      writeFileSync(`${file}.gz`, gzipSync('export {}'));
      for (const [path, type, text] of [
        ['/assets/main-abc123.js', 'javascript', 'export {}'],
        ['/', 'text/html', 'Home, sandbox'],
        ['/settings', 'text/html', '<div id="root">'],
      ] as const) {
        const asked = { 'accept-encoding': accepts };
        const { headers, bytes } = await ask(url, 'GET', path, asked);
        expect(headers['content-encoding'], path).toBe(encoding);
        expect(headers['vary']).toContain('Accept-Encoding');
        expect(headers['content-type']).toContain(type);
        expect(String(encoding ? decoded[encoding](bytes) : bytes)).toContain(text);
        const head = await ask(url, 'HEAD', path, asked);
        expect(head.answer).toBe('');
        expect(head.headers['content-encoding']).toBe(encoding);
        expect(Number(head.headers['content-length'])).toBeGreaterThan(0);
        if (!headers['etag']) continue;
        const again = await ask(url, 'GET', path, { ...asked, 'if-none-match': headers['etag'] });
        expect([again.status, again.headers['vary'], again.answer]).toEqual([304, 'Accept-Encoding', '']);
      }
    },
  );

  it('gives each encoding of a file a different ETag (behaviour 10.18.6)', async () => {
    const { url, config } = await served();
    const file = join(config.pageFolder, 'assets/main-abc123.js');
    writeFileSync(`${file}.br`, brotliCompressSync('export {}'));
    writeFileSync(`${file}.gz`, gzipSync('export {}'));
    const tags = await Promise.all(
      ['br', 'gzip', 'identity'].map(async (encoding) => {
        const { headers } = await ask(url, 'GET', '/assets/main-abc123.js', { 'accept-encoding': encoding });
        return headers['etag'];
      }),
    );
    expect(new Set(tags).size).toBe(3);
  });

  it('preloads GET /api/facts and the modules of the requested route only (behaviour 10.18.4, 10.18.5)', async () => {
    const { url } = await served();
    const facts = '<head><link rel="preload" as="fetch" crossorigin href="/api/facts" />';
    const modules = '<link rel="modulepreload" crossorigin href="/assets/settings-abc123.js" />';
    for (const path of ['/settings', '/', '/batches', '/constructor', '/__proto__']) {
      const text = await (await fetch(url + path)).text();
      expect(text, path).toContain(facts);
      if (path === '/settings') expect(text).toContain(modules);
      else expect(text, path).not.toContain('modulepreload');
    }
  });

  it('answers 404 with a problem for missing files and API paths', async () => {
    const { url } = await served();
    for (const path of ['/assets/gone.js', '/api/nothing', '/api-msg-v1/nothing', '/../../etc/passwd.txt']) {
      const response = await fetch(url + path);
      expect(response.status, path).toBe(404);
      expect(await response.json()).toMatchObject({ code: 'not-found' });
    }
  });

  it('serves an icon at /favicon.ico', async () => {
    const { url, config } = await served();
    copyFileSync('public/favicon.ico', join(config.pageFolder, 'favicon.ico'));
    const response = await fetch(`${url}/favicon.ico`);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toMatch(/^image\//);
    // An icon file with one picture.
    expect([...new Uint8Array(await response.arrayBuffer(), 0, 6)]).toEqual([0, 0, 1, 0, 1, 0]);
  });

  it('redirects the identity provider’s response to a static file', async () => {
    const { url } = await served();
    const response = await fetch(`${url}/api/jwtredirect`);
    expect(response.url).toBe(`${url}/jwtredirect.html`);
    expect(response.status).toBe(200);
  });
});

describe('Cross-origin protection', () => {
  const change = (url: string, headers: Record<string, string>) =>
    fetch(`${url}/api/settings`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ key: 'useMock', value: 'false' }),
    });

  it('accepts changes from the console’s own origin and from programs without an Origin header', async () => {
    const { url } = await served();
    expect((await change(url, { origin: url, 'sec-fetch-site': 'same-origin' })).status).toBe(200);
    expect((await change(url, { origin: url })).status).toBe(200);
    expect((await change(url, {})).status).toBe(200);
  });

  it('accepts requests for its own host names', async () => {
    const { url } = await served();
    for (const host of [`localhost:${new URL(url).port}`, 'console.example'])
      expect((await ask(url, 'GET', '/api/settings', { host })).status, host).toBe(200);
  });
});

it('GET /healthz says which version runs', async () => {
  const { url } = await served();
  expect(await (await fetch(`${url}/healthz`)).json()).toEqual({ status: 'ok', version });
});

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
