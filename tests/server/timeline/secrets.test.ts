import { strFromU8, unzipSync } from 'fflate';
import { expect, it } from 'vitest';
import type { TimelineEntry } from '#contract/timeline.ts';
import { codeOf, languages } from '#app/journey/inspector/code.ts';
import { shownAfter } from '#app/journey/inspector/shownRequest.ts';
import { consoleWithSandbox } from '#tests/support/console.ts';
import { batchIn, pay, walk } from '#tests/support/guidedPath.ts';
import { paymentForm } from '#rules/field.ts';
import { sandboxCredentials } from '#tests/support/sandboxCredentials.ts';

async function everything({ done }: Awaited<ReturnType<typeof consoleWithSandbox>>): Promise<TimelineEntry[]> {
  const all: TimelineEntry[] = [];
  let after: string | undefined;
  do {
    const page = await done('getTimeline', { query: { limit: '100', ...(after !== undefined && { after }) } });
    all.push(...page.data);
    after = page.next;
  } while (after !== undefined);
  return all;
}

it('The timeline of a whole guided path, its code samples, HAR and support bundle contain no secret (threat 6.21)', async () => {
  const server = await consoleWithSandbox();
  const { subscriptionId, rules } = await walk(server);
  const { fileFormatId, specification } = (await server.done('getFileFormats')).data[0]!;
  const filed = await pay(server, subscriptionId, paymentForm(rules, specification.rules), fileFormatId);
  const link = (await batchIn(server, 'PaymentFileAvailable', filed)).links!.paymentFile!;
  await server.done('downloadPaymentFile', { params: { link } });
  const { token } = (await server.done('getToken', { query: { reveal: 'true' } })).data;
  const { organisationId, companySigningKey = '', userJwt = '' } = await server.store.settings.read();
  const { signingKey: revealed } = await server.done('revealSigningKey', { body: { organisationId: organisationId! } });
  const { apiKey, signingKey, webhookSecret } = sandboxCredentials;
  const secrets = [
    companySigningKey,
    userJwt,
    token,
    revealed,
    apiKey,
    signingKey,
    webhookSecret,
    new URL(link).search,
  ];
  expect(secrets.every((secret) => secret.length > 10)).toBe(true);

  const entries = await everything(server);
  // The number of polls differs between runs.
  expect(entries.length).toBeGreaterThan(40);
  const code = entries.flatMap((entry) =>
    languages.map((language) => codeOf({ ...shownAfter(entry), url: new URL(entry.url, server.url).href }, language)),
  );
  const har = await (await fetch(`${server.url}/api/timeline.har`)).text();
  // The address of the download without its secret only (behaviour 10.25.8).
  expect(har).toContain(`/files/${filed}?token=$TOKEN`);
  const zip = await (await fetch(`${server.url}/api/timeline.zip`)).arrayBuffer();
  const bundle = Object.values(unzipSync(new Uint8Array(zip))).map((file) => strFromU8(file));
  const written = { record: JSON.stringify(entries), code: code.join('\n'), har, bundle: bundle.join('\n') };
  for (const [what, text] of Object.entries(written)) {
    expect(text.length, what).toBeGreaterThan(10_000);
    const encoded = (secret: string) => [
      secret,
      encodeURIComponent(secret),
      JSON.stringify(secret).slice(1, -1),
      Buffer.from(secret).toString('base64').replace(/=+$/, ''),
    ];
    for (const secret of secrets.flatMap(encoded)) expect(text.includes(secret), what).toBe(false);
    // No JWT of any kind.
    expect(/eyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]+/.exec(text), what).toBeNull();
  }
});
