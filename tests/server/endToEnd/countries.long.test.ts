import { textOf } from '#tests/support/api.ts';
import { describe, expect, it } from 'vitest';
import { paymentForm } from '#rules/field.ts';
import { consoleWithSandbox } from '#tests/support/console.ts';
import { batchIn, onboard, pay, subscribe } from '#tests/support/guidedPath.ts';

/** The guided path in each country with the rules' examples, over HTTP and through the sandbox. */
describe('From a subscription to a finished batch', () => {
  it.each([
    ['GB', 'en', 'Larkfield Bacs Bureau', 'GBP'],
    ['GB', 'en-GB', 'ecospend', 'GBP'],
    ['US', 'en-US', 'Bluestem ACH Services', 'USD'],
    ['CA', 'en-CA', 'Tamarack Lake EFT', 'CAD'],
    ['CA', 'fr-CA', 'Tamarack Lake EFT', 'CAD'],
    ['AU', 'en', 'Wattlebird Direct Entry', 'AUD'],
  ])(
    'an electronic payment succeeds in %s, language %s: %s pays in %s',
    async (providerCountry, acceptLanguage, name, currency) => {
      const server = await consoleWithSandbox();
      await onboard(server, { providerCountry, fileFormatCountry: 'GB', acceptLanguage });
      const { subscriptionId, rules } = await subscribe(server, name);
      const { data } = await batchIn(server, 'Completed', await pay(server, subscriptionId, paymentForm(rules)));
      expect(data.payments).toHaveLength(3);
      for (const payment of data.payments ?? [])
        expect(payment).toMatchObject({ status: 'Completed', instructedAmount: { currency } });
    },
  );

  it.each([
    ['AU', 'AU', 'en'],
    ['CA', 'CA', 'en-CA'],
    ['CA', 'CA', 'fr-CA'],
    ['FR', 'GB', 'en'],
    ['ZA', 'GB', 'en'],
    ['GB', 'GB', 'en'],
    ['US', 'US', 'en'],
  ])(
    'a payment file of %s is created for an account in %s, language %s',
    async (fileFormatCountry, providerCountry, acceptLanguage) => {
      const server = await consoleWithSandbox();
      await onboard(server, { providerCountry, fileFormatCountry, acceptLanguage });
      const { subscriptionId, rules } = await subscribe(server);
      const { data: formats } = await server.done('getFileFormats');
      expect(formats).not.toEqual([]);
      const [debtor] = (await server.done('getDebtors')).data;
      for (const { fileFormatId, specification } of formats) {
        const batchId = await pay(server, subscriptionId, paymentForm(rules, specification.rules), fileFormatId);
        const link = (await batchIn(server, 'PaymentFileAvailable', batchId)).links!.paymentFile!;
        const file = textOf(await server.done('downloadPaymentFile', { params: { link } }));
        expect(file).toContain(debtor!.debtorAccountidentification);
        expect(file.match(/INV-0000\d/g)).toHaveLength(3);
      }
    },
  );
});
