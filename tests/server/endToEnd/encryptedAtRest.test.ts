import { describe, expect, it } from 'vitest';
import { paymentForm } from '#rules/field.ts';
import { notificationsPath } from '#server/http/paths.ts';
import { testConsole, testSandbox } from '#tests/support/console.ts';
import { batchIn, onboard, pay, subscribe } from '#tests/support/guidedPath.ts';
import { bytesIn, temporaryFolder } from '#tests/support/store.ts';

describe('The database file', () => {
  it('contains no signing key, user token or bank detail after a whole guided path (threat 2.15)', async () => {
    const folder = temporaryFolder();
    const upstreamUrl = async (url: string) => (await testSandbox({ webhookUrl: url + notificationsPath })).url;
    const server = await testConsole({ folder, upstreamUrl });
    await onboard(server);
    const { subscriptionId, rules } = await subscribe(server);
    const { fileFormatId, specification } = (await server.done('getFileFormats')).data[0]!;
    const batchId = await pay(server, subscriptionId, paymentForm(rules, specification.rules), fileFormatId);
    await batchIn(server, 'PaymentFileAvailable', batchId);
    const { companySigningKey, userJwt } = await server.store.settings.read();
    const parties = [...(await server.done('getDebtors')).data, ...(await server.done('getCreditors')).data];
    const details = parties.flatMap((party) =>
      Object.entries(party).flatMap(([name, value]) => (name.endsWith('Id') || value.length < 6 ? [] : [value])),
    );
    expect(details.length).toBeGreaterThan(3);
    const bytes = bytesIn(folder);
    expect(bytes).toContain(subscriptionId); // ids are not encrypted, which shows that this is the right file
    for (const secret of [companySigningKey!, userJwt!, ...details]) expect(bytes).not.toContain(secret);
  }, 60_000);
});
