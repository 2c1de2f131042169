import { describe, expect, it } from 'vitest';
import { catalogue } from '#server/sandbox/catalogue/index.ts';
import { pathOf } from '#contract/serviceCalls.ts';
import { endpoints, header } from '#server/upstream/wire.ts';
import { executionDate } from '#tests/support/executionDate.ts';
import { testSandbox } from '../harness.ts';

const canadian = catalogue.fileFormatsFor('CA')[0]!.fileFormatId;
const provider = catalogue.providersFor('CA')[0]!.providerId;
const inLanguage = (language: string) => (language === '' ? {} : { [header.language]: language });

/** A batch by bank file, whose rules it breaks. */
const wrong = {
  externalId: 'b-1',
  requestedExecutionDateTime: executionDate,
  fileFormatId: canadian,
  payments: [
    {
      instructedAmount: { amount: '1.00', currency: 'CAD' },
      creditor: { name: 'x'.repeat(300) },
      remittanceInformation: { reference: 'r' },
    },
  ],
};

async function refusedBatch(language: string) {
  const sandbox = await testSandbox({}, catalogue);
  const { token, ...who } = await sandbox.onboard();
  const asked = { token, headers: inLanguage(language) };
  const { batchId } = (await sandbox.call('POST', endpoints.batches, { ...asked, body: { data: wrong } })).body.data;
  sandbox.clock.increment(1000);
  await sandbox.settled();
  const messages = async (again: string) => {
    const path = `${endpoints.batches}/${batchId}`;
    const { body } = await sandbox.call('GET', path, { token, headers: inLanguage(again) });
    expect(body.data.status).toBe('Rejected');
    return (body.error.detail as { message: string }[]).map(({ message }) => message).join('\n');
  };
  return { sandbox, token, who, messages };
}

const [english, french] = [/enter|choose|give/, /saisissez|choisissez|indiquez/];

describe('The errors of a batch', () => {
  it.each([
    ['', '', english],
    ['', 'fr-CA', french],
    ['fr-CA', '', french],
    ['fr-CA', 'en-CA', english],
    ['fr-CA', 'fr-CA', french],
    ['fr-CA', 'de-DE', english],
    ['de-DE', '', english],
  ])(
    'of a batch sent in “%s” and read in “%s” are in the language asked for last (wire 15.3)',
    async (sent, read, words) => {
      const { messages } = await refusedBatch(sent);
      const said = await messages(read);
      expect(said).toMatch(words);
      expect(said).not.toMatch(words === english ? french : english);
    },
  );

  it('stay the same ones in each language', async () => {
    const { messages } = await refusedBatch('');
    const lines = async (language: string) => (await messages(language)).split('\n').length;
    expect(await lines('fr-CA')).toBe(await lines('en-CA'));
  });
});

it.each([
  ['', english],
  ['fr-CA', french],
])(
  'A subscription that breaks rules is refused in the language asked for: “%s” (wire 15.3)',
  async (language, words) => {
    const sandbox = await testSandbox({}, catalogue);
    const { organisationId, token } = await sandbox.onboard();
    const { status, body } = await sandbox.call('POST', pathOf('createSubscription', organisationId), {
      token,
      headers: inLanguage(language),
      body: { data: { providerId: provider, additionalData: '{"institutionNumber":"x"}' } },
    });
    expect(status).toBe(422);
    expect(body.errors.map(({ message }) => message).join('\n')).toMatch(words);
  },
);
