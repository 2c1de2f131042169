import { describe, expect, it } from 'vitest';
import { endpoints } from '#server/upstream/wire.ts';
import { testConsole } from '#tests/support/console.ts';
import { fakeUpstream } from '#tests/support/fakeUpstream.ts';

/** Known to the console by its form and place alone. */
const secret = 'Zx9Qw7Er5Ty3Ui1Op';

/** Bodies in which the secret stands, by what says that it is one. */
const bodies: [what: string, type: string, body: string][] = [
  ['a block of YAML', 'application/yaml', `signing_key: |\n  ${secret}\nname: x`],
  ['a field of a page', 'text/html', `<form><input type="hidden" name="token" value="${secret}"></form>`],
  ['an element with attributes', 'application/xml', `<a><password kind="x">${secret}</password></a>`],
  ['a key and data', 'application/json', JSON.stringify({ key: 'signingKey', data: secret })],
  ['data and a key', 'application/json', JSON.stringify([{ data: secret, key: 'companySigningKey' }])],
  ['YAML within JSON', 'application/json', JSON.stringify({ text: `signing_key: |\n  ${secret}\n` })],
  ['a page within JSON', 'application/json', JSON.stringify({ html: `<input name="token" value="${secret}">` })],
  ['a private key', 'text/plain', `-----BEGIN PRIVATE KEY-----\n${secret}\n-----END PRIVATE KEY-----`],
  ['an address', 'text/plain', `see https://user:${secret}@service.example/`],
  ['a link', 'text/plain', `see https://service.example/a?x=1&access_token=${secret}.`],
  ['a cookie', 'text/plain', `Cookie: session=${secret}; b=1`],
  ['a form', 'application/x-www-form-urlencoded', `name=token&value=${secret}`],
];

describe('A secret that only its form or place shows', () => {
  it.each(bodies)('is masked in all that is recorded: %s (threat 2.33)', async (_, type, body) => {
    for (const status of [200, 400, 500]) {
      const inOneLine = body.replaceAll(/\s/g, ' ');
      const service = await fakeUpstream({
        [endpoints.consumerStatus]: (response) =>
          void response
            .writeHead(status, { 'content-type': type, 'x-note': inOneLine, 'set-cookie': `session=${secret}` })
            .end(body),
      });
      const server = await testConsole({ upstreamUrl: service.url });
      await server.call('getConsumerHealth');
      const headers = { 'content-type': type, cookie: `session=${secret}`, referer: `${server.url}/?token=${secret}` };
      for (const method of ['POST', 'PATCH', 'PUT'])
        await fetch(`${server.url}/api/settings?token=${secret}`, { method, headers, body });
      for (const path of ['/api/timeline', '/api/timeline.har', '/api/drift']) {
        const recorded = await (await fetch(server.url + path)).text();
        expect(recorded).not.toContain(secret);
      }
    }
  });
});
