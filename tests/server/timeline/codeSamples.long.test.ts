import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { codeOf, languages, type Language } from '#app/inspector/code.ts';
import { shownAfter, shownBefore, type ShownRequest } from '#app/inspector/shownRequest.ts';
import { requests } from '#contract/requests/requests.ts';
import { serviceOf } from '#server/upstream/config.ts';
import { eventually } from '#tests/support/eventually.ts';
import { consoleWithSandbox } from '#tests/support/console.ts';
import { companyBody, filled } from '#tests/support/bodies.ts';
import { walk } from '#tests/support/guidedPath.ts';
import { sandboxCredentials, upstreamAt } from '#tests/support/sandboxCredentials.ts';
import { temporaryFolder } from '#tests/support/store.ts';

const run = promisify(execFile);

/** A text that breaks a code sample with wrong quoting. */
const awkward = `Smith's "Café" \\ $HOME \`id\` !x & Söhne 漢 😀`;

/** Runs the code of a language, where this machine can. */
const runners: Partial<Record<Language, (code: string, env: Record<string, string>) => Promise<string>>> = {
  async cURL(code, env) {
    return (await run('bash', ['-eu', '-c', code], { env: { PATH: process.env['PATH'] ?? '', ...env } })).stdout;
  },
  async fetch(code, env) {
    const file = join(temporaryFolder(), 'request.mjs');
    writeFileSync(file, code);
    return (await run(process.execPath, [file], { env })).stdout;
  },
};

const organisation = (url: string, name = 'CRM-000123'): ShownRequest =>
  shownBefore(
    requests.createOrganisation(filled('organisation', { sageCRMId: name }), '$KEY'),
    serviceOf(upstreamAt(url)),
  );

describe.each(Object.keys(runners) as Language[])('The code sample in %s', (language) => {
  it('sends a signed request that the sandbox accepts, whatever its body contains (behaviour 10.16.10)', async () => {
    const { config } = await consoleWithSandbox();
    const code = codeOf(organisation(config.upstream.authUrl, awkward), language);
    const { signingKey } = sandboxCredentials;
    const said = await runners[language]!(code, { SIGNING_KEY: signingKey, KEY: randomUUID() }); // it is one of them
    expect(said).toMatch(/\b20[01]\b/);
    expect(said).toContain('organisationId');
  });

  it('repeats a recorded request with a token', async () => {
    const server = await consoleWithSandbox();
    const { subscriptionId } = await walk(server);
    const { data } = await server.done('getTimeline', { query: { kind: 'service', limit: '100' } });
    const recorded = data.find(({ url, method }) => method === 'GET' && url.endsWith(subscriptionId))!; // the walk asks for it
    const { data: token } = await server.done('getToken', { query: { reveal: 'true' } });
    const code = codeOf(shownAfter(recorded), language);
    const said = await runners[language]!(code, { TOKEN: token.token, API_KEY: sandboxCredentials.apiKey }); // as above
    expect(said).toMatch(/\b200\b/);
    expect(said).toContain(subscriptionId);
  });
});

describe.each(languages)('The code sample in %s', (language) => {
  it('has variables in place of secrets, and explains the signature', () => {
    const service = serviceOf(upstreamAt('https://service.test'));
    const signed = shownBefore(requests.createCompany(companyBody('A'), '$KEY'), service);
    const code = codeOf(signed, language);
    for (const word of ['$TOKEN', '$SIGNING_KEY', 'Base string: POST&https%3A', 'HMAC-SHA1', signed.url])
      expect(code).toContain(word);
  });

  it('has a JSON body with one member per line', () => {
    const lines = codeOf(organisation('https://service.test'), language).split('\n');
    const at = lines.findIndex((line) => /\bbody ?=/i.test(line));
    expect(lines.slice(at).findIndex((line) => /^\s*"primaryCountry": "GBR",$/.test(line))).toBeGreaterThan(0);
  });

  it('contains no secret of a whole guided path (threat 2.1)', async () => {
    const server = await consoleWithSandbox();
    await walk(server);
    const { token } = (await server.done('getToken', { query: { reveal: 'true' } })).data;
    const { companySigningKey = '', userJwt = '' } = await server.store.settings.read();
    const { apiKey, signingKey, webhookSecret, webhookHeader } = sandboxCredentials;
    const secrets = [token, companySigningKey, userJwt, apiKey, signingKey, webhookSecret, webhookHeader.value];
    expect(secrets.filter((secret) => secret.length < 8)).toEqual([]);
    const entries = await eventually(async () => {
      const { data } = await server.done('getTimeline', { query: { limit: '500' } });
      expect(data.length).toBeGreaterThan(40);
      return data;
    });
    const code = entries.map((entry) => codeOf(shownAfter(entry), language)).join('\n');
    expect(secrets.filter((secret) => code.includes(secret))).toEqual([]);
    for (const word of ['$TOKEN', '$API_KEY', '$WEBHOOK_KEY']) expect(code).toContain(word);
  });
});
