import { execFile, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { codeOf } from '#app/journey/inspector/code.ts';
import { languages, type Language } from '#app/journey/inspector/code/languages.ts';
import { createdWord, keyWord } from '#app/journey/inspector/code/request.ts';
import { environmentFile } from '#rules/environmentFile.ts';
import { shownAfter, shownBefore, type ShownRequest } from '#app/journey/inspector/shownRequest.ts';
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
const awkward = `Smith's "Café" \\ $HOME $KEY \`id\` %PATH% %s !x ?> {$a} & Söhne 漢 😀`;

/** Runs the code of a language, where this machine can, in an empty folder or one that has a file `.env`. */
const runners: Partial<
  Record<Language, (code: string, env?: Record<string, string>, file?: string) => Promise<string>>
> = {
  'cURL (bash)': ofFile('bash', ['-eu'], 'request.sh'),
  fetch: ofFile(process.execPath, [], 'request.mjs'),
  Java: ofFile('java', [], 'Request.java'),
  Python: ofFile('python3', [], 'request.py'),
  Go: ofFile('go', ['run'], 'request.go'),
  PHP: ofFile('php', [], 'request.php'),
};

function ofFile(command: string, before: string[], name: string) {
  return async (code: string, env: Record<string, string> = {}, file?: string): Promise<string> => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, name), code);
    if (file !== undefined) writeFileSync(join(folder, '.env'), file);
    const all = { ...process.env, ...env };
    return (await run(command, [...before, name], { cwd: folder, env: all })).stdout;
  };
}

const programs: Partial<Record<Language, string>> = { Java: 'java', Python: 'python3', Go: 'go', PHP: 'php' };

/** Whether the language's program is on this machine; says so if not. */
function isHere(language: Language): boolean {
  const program = programs[language];
  if (program === undefined) return true;
  const { status } = spawnSync(program, [program === 'go' ? 'version' : '--version']);
  if (status !== 0) console.warn(`The code samples in ${language} are not run: there is no ${program}.`);
  return status === 0;
}
const runnable = (Object.keys(runners) as Language[]).filter(isHere);

/** A server that keeps the bytes and headers it receives. */
async function receiver() {
  const received: { body: Buffer; headers: IncomingHttpHeaders; url: string }[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      received.push({ body: Buffer.concat(chunks), headers: request.headers, url: request.url ?? '' });
      response.end('{}');
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return { received, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

const bodies = {
  'JSON as it was written': '{"a":1.0,  "name":"O\'Neil \\"x\\" $KEY $TOKEN `id` %PATH% %25 !x \\\\ 😀"}',
  'line ends of all kinds and trailing blanks': '  {"a":\r\n1}\r\n\r{"b"\u2028:2}\n \t\n',
  'what looks like a file or an option': '@/etc/passwd',
  'a NUL': '{"a":"\0\\0","b":"%b"}\n',
  'nothing but quotes': `'"'"\`\`\\'`,
};

const organisation = (url: string, name = 'CRM-000123'): ShownRequest =>
  shownBefore(
    requests.createOrganisation(filled('organisation', { sageCRMId: name }), keyWord),
    serviceOf(upstreamAt(url)),
  );

describe.each(runnable)('The code sample in %s', (language) => {
  it('sends the recorded bytes, scheme and headers (behaviour 10.16.20)', { timeout: 120_000 }, async () => {
    const { received, url } = await receiver();
    for (const [what, body] of Object.entries(bodies)) {
      const request = {
        method: 'POST',
        url: `${url}/v1/a[1]{b,c}?q=%20$x`,
        body,
        headers: {
          authorization: 'Basic $TOKEN',
          'content-type': 'application/json',
          'x-empty': '',
          'x-note': "a'b $KEY",
        },
      };
      await runners[language]!(codeOf(request, language), { TOKEN: 'dXNlcjpwYXNz' }); // it is one of them
      const last = received.at(-1)!; // as above
      expect(last.body.toString(), what).toBe(body);
      expect(last.headers).toMatchObject({ authorization: 'Basic dXNlcjpwYXNz', 'x-empty': '', 'x-note': "a'b $KEY" });
      expect(last.url).toContain('q=%20$x');
    }
    expect(received).toHaveLength(Object.keys(bodies).length);
  });

  it('sends a signed request that the sandbox accepts, whatever its body contains (behaviour 10.16.10)', async () => {
    const { config } = await consoleWithSandbox();
    const code = codeOf(organisation(config.upstream.authUrl, awkward), language);
    const { signingKey } = sandboxCredentials;
    const said = await runners[language]!(code, { APPLICATION_SIGNING_KEY: signingKey, KEY: randomUUID() }); // it is one of them
    expect(said).toMatch(/\b20[01]\b/);
    expect(said).toContain('organisationId');
  });

  it.each(['DEBTOR_ID', 'CREDITOR_ID'] as const)(
    'creates the idempotency key and $%s of a request that is not sent yet, or takes them from its variables (behaviour 10.16.20)',
    { timeout: 60_000 },
    async (variable) => {
      const { received, url } = await receiver();
      const body = JSON.stringify({ id: createdWord(variable), key: '$KEY' });
      const headers = { 'x-idempotency-key': keyWord };
      const code = codeOf({ method: 'POST', url: `${url}/puts`, headers, body, pending: { headers, body } }, language);
      const uuid = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;
      await runners[language]!(code, {}); // it is one of them
      const first = JSON.parse(received[0]!.body.toString()) as { id: string; key: string };
      const firstKey = String(received[0]!.headers['x-idempotency-key']);
      expect([first.id, firstKey]).toEqual([expect.stringMatching(uuid), expect.stringMatching(uuid)]);
      expect(first.id).not.toBe(firstKey);
      expect(first.key).toBe('$KEY');
      const [id, key] = [randomUUID(), randomUUID()];
      await runners[language]!(code, { KEY: key, [variable]: id });
      expect(JSON.parse(received[1]!.body.toString())).toEqual({ id, key: '$KEY' });
      expect(received[1]!.headers['x-idempotency-key']).toBe(key);
    },
  );

  it('runs as it was copied beside the copied .env, with the secret that each call takes (behaviour 10.16.20)', async () => {
    const server = await consoleWithSandbox();
    await walk(server);
    const file = environmentFile((await server.done('getProgramEnvironment', { query: { reveal: 'all' } })).data);
    const entries = await eventually(async () => {
      const { data } = await server.done('getTimeline', { query: { kind: 'service', limit: '500' } });
      expect(data.some(({ url }) => url.endsWith('/userinfo'))).toBe(true);
      return data;
    });
    for (const ending of [
      '/organisations',
      '/companies',
      '/accounts',
      '/userinfo',
      '/subscriptions',
      '/batchpayments',
    ]) {
      const recorded = entries.find(({ url, status }) => url.endsWith(ending) && status < 300)!; // of the walk
      const said = await runners[language]!(codeOf(shownAfter(recorded), language), {}, file); // it is one of them
      expect(said, `${ending}: ${said}`).toMatch(/\b20[0-4]\b/);
    }
  }, 180_000);

  it('names the variable that is missing, and where it is from', async () => {
    const request = shownBefore(requests.userInfo(), serviceOf(upstreamAt('http://127.0.0.1:9')));
    const running = runners[language]!(codeOf(request, language)); // it is one of them
    const said = await running.catch((error: { stderr: string }) => error.stderr);
    expect(said).toContain('USER_TOKEN is missing: put it into .env, which the console’s page Your app offers to copy');
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
    const signed = shownBefore(requests.createCompany(companyBody('A'), keyWord), service);
    const code = codeOf(signed, language);
    for (const word of ['$ORGANISATION_TOKEN', '$SIGNING_KEY', 'Base string: POST&https%3A', 'HMAC-SHA1', signed.url])
      expect(code).toContain(word);
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
