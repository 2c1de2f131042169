import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { secretIsSet } from '#contract/secrets.ts';
import { paymentForm } from '#rules/field.ts';
import { consoleWithSandbox } from '#tests/support/console.ts';
import { batchIn, onboard, pay, subscribe } from '#tests/support/guidedPath.ts';
import { sandboxCredentials } from '#tests/support/sandboxCredentials.ts';

describe('The secrets of a guided path', () => {
  it('are neither logged at any level nor sent to the browser, except by the calls that exist to give one (behaviour 10.8.1; threat 2.1)', async () => {
    const lines: string[] = [];
    const server = await consoleWithSandbox(pino({ level: 'trace' }, { write: (line: string) => lines.push(line) }));
    const { done, store } = server;
    await onboard(server);
    const { subscriptionId, rules } = await subscribe(server);
    const { fileFormatId, specification } = (await done('getFileFormats')).data[0]!;
    const batchId = await pay(server, subscriptionId, paymentForm(rules, specification.rules), fileFormatId);
    const link = (await batchIn(server, 'PaymentFileAvailable', batchId)).links!.paymentFile!;
    await done('downloadPaymentFile', { params: { link } });
    await server.refused('downloadPaymentFile', { params: { link: link.replace(batchId, 'another') } });

    const masked = (await done('getToken', { query: { reveal: 'false' } })).data;
    const revealed = (await done('getToken')).data;
    expect(masked).toEqual({ ...revealed, token: secretIsSet });
    expect(revealed.token).toMatch(/^eyJ/);

    const { companySigningKey, userJwt } = await store.settings.read();
    const { apiKey, signingKey } = sandboxCredentials;
    const fileToken = new URL(link).searchParams.get('token');
    const shown = JSON.stringify([await done('getSettings'), await done('getFacts'), masked]);
    const logged = lines.join('');
    expect(logged).toContain('/auth-v1/accessToken');
    for (const secret of [companySigningKey, userJwt, revealed.token, apiKey, signingKey, fileToken]) {
      expect(secret).toEqual(expect.stringMatching(/.{10}/));
      expect(logged).not.toContain(secret);
      expect(shown).not.toContain(secret);
    }
  }, 60_000);
});
