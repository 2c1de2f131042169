import { describe, expect, it } from 'vitest';
import { actionsOf, companiesOf, pagesIn, recordsOf, stepsOf } from '#app/frame/palette/paletteEntries.ts';
import { foundIn, rankOf } from '#app/frame/palette/searchRank.ts';
import { factsAfter, withFacts } from '#tests/support/facts.ts';
import { batchRecord, creditor, debtor } from '#tests/support/fixtures.ts';

const facts = withFacts(factsAfter('authorisation'), {
  settings: {
    ...factsAfter('authorisation').settings,
    postedBatches: JSON.stringify([batchRecord, { ...batchRecord, batchId: 'batch-2' }]),
  },
});
const blocked = (given = facts): Record<string, string | undefined> =>
  Object.fromEntries(actionsOf(given, 'light', '').map(({ key, blocked: why = '' }) => [key, why]));

describe('the command palette', () => {
  it('links to batches, newest first, and to debtors and creditors by name', () => {
    const records = recordsOf(facts, [debtor], [creditor]);
    expect(records.map(({ title }) => title)).toEqual([
      'Batch batch-2',
      'Batch batch-1',
      'Debtor Example Trading Ltd',
      'Creditor Paper & Sons',
    ]);
    expect(records[0]?.to).toBe('/getbatch?batchId=batch-2');
    expect(records[2]?.to).toBe('/debtorsquery?q=debtor-1');
  });

  it('lists no records if the stored lists cannot be parsed', () => {
    const broken = withFacts(facts, { settings: { ...facts.settings, postedBatches: '{', subscriptions: '7' } });
    expect(recordsOf(broken, [], [])).toEqual([]);
  });

  it('shortens ids, and ranks whole words before substrings and scattered letters', () => {
    const id = '5071c811-1f15-4fc5-a6d1-000000000001';
    const long = withFacts(facts, {
      settings: { ...facts.settings, postedBatches: JSON.stringify([{ ...batchRecord, batchId: id }]) },
    });
    expect(recordsOf(long, [], [])[0]?.title).toBe('Batch 5071c811…0001');
    const rank = (text: string) => rankOf(text, 'pay');
    const texts = ['Pippinhay Direct', 'Electronic Payments', 'Payments list', 'Party'];
    expect(texts.sort((a, b) => rank(b) - rank(a))).toEqual(['Payments list', 'Electronic Payments', 'Pippinhay Direct', 'Party']); // prettier-ignore
    expect(rankOf('Home', 'zz')).toBe(0);
  });

  it('gives the reason for each disabled action (behaviour 10.10.2)', () => {
    const free = { save: '', open: '', empty: '' };
    expect(blocked()).toEqual({ colours: '', keys: '', 'copy token': '', 'suspend subscription': '', ...free });
    expect(blocked(factsAfter('nothing'))).toEqual({
      colours: '',
      keys: '',
      'copy token': 'There is no company yet',
      'suspend subscription': 'There is no subscription yet',
      ...free,
    });
    const live = withFacts(factsAfter('subscription'), { environment: 'live' });
    expect(blocked(live)).toMatchObject({
      'suspend subscription': 'Only an Authorised subscription can be suspended; this one is AwaitingAuthorisation',
      empty: 'The live service cannot be emptied',
      save: 'Only a sandbox has situations',
    });
    expect(actionsOf(live, 'light', '').filter(({ to }) => to)).toEqual([]);
  });
});

/** What the palette lists for a search, best first. */
function found(search: string, environment: 'sandbox' | 'live' = 'sandbox'): string[] {
  const entries = [
    ...pagesIn(environment),
    ...stepsOf(facts),
    ...companiesOf(facts),
    ...recordsOf(facts, [debtor], [creditor]),
    ...actionsOf(withFacts(facts, { environment }), 'light', 'Ada'),
  ];
  return foundIn(entries, search).map(({ title }) => title);
}

/** What a user types, and what is meant: the heading of a page, a term of the field, another spelling, an id, a status. */
const meant: Readonly<Record<string, readonly string[]>> = {
  Home: [
    'start page',
    'back',
    'overview',
    'workspace',
    'delete company',
    'remove the company',
    'signing key',
    'key',
    'secret',
  ],
  Timeline: ['export', 'postman', 'har', 'curl', 'history', 'log', 'requests', 'retry', 'idempotency key', 'Time'],
  'Fault lab': ['fault', 'error'],
  Practise: ['practice', 'rehearsal', 'simulate a failure'],
  Faults: ['timeout', 'time-out', 'rate limit', 'delay'],
  Clock: ['clock', 'date', 'tomorrow'],
  Webhooks: ['webhook', 'webhooks', 'callbacks', 'signature', 'events'],
  'Magic values': ['magic', 'test data'],
  'Start from': ['demo', 'start from'],
  'Your app': ['my app', 'base url', 'verify', 'integration'],
  'Connect your program': ['my program', 'api key', '.env', 'webhook secret'],
  'API reference': ['docs', 'documentation', 'help', 'swagger', 'endpoints'],
  Settings: ['language', 'mock', 'preferences', 'choose country'],
  'ConsumerAPI Health': ['ping', 'status of the consumer api'],
  'Create Organisation': ['organization', 'new organisation', 'tenant'],
  'Create Company': ['company', 'new company', 'add a company'],
  'Get Access Token': ['token', 'access token', 'bearer', 'jwt', 'credentials'],
  'Get User Token': ['login', 'log in', 'sign in'],
  'Create DataSet': ['data set', 'ledger'],
  'Create with OnBoarding': ['mandate', 'new subscription', 'connect a payment provider'],
  'Create with OpenBanking': ['connect a bank', 'open banking'],
  List: ['approve', 'authorize', 'authorise', 'consent', 'Authorised', 'subscription list'],
  'Bank Files': ['bacs', 'sepa', 'bank file'],
  'Create Debtor': ['bank account', 'iban', 'payer', 'currency'],
  'Create Creditor': ['payee', 'supplier', 'beneficiary', 'vendor'],
  'Creditor Query': ['delete payee', 'list payees'],
  'Electronic Payments': ['pay', 'make a payment', 'send money', 'invoices', 'how do I pay'],
  'File Payments': ['pay by bank file', 'template'],
  'List Payments': ['batches', 'payment status', 'Completed', 'outcome unknown'],
  'eTransfer Funding': ['e-transfer', 'interac', 'top up'],
  'Additional Data': ['playground', 'rule playground', 'validation'],
  'Batch batch-2': ['batch-2', 'batch 2'],
  'Batch batch-1': ['batch-1'],
  'Creditor Paper & Sons': ['Paper & Sons', 'paper and sons', 'creditor-1'],
  'Debtor Example Trading Ltd': ['Example Trading', 'debtor-1'],
  'Use dark colours': ['dark', 'light', 'theme', 'night mode', 'color', 'appearance'],
  'Use company company-1 (current)': ['use company', 'switch company', 'company-1'],
  'Save situation': ['snapshot', 'backup', 'save'],
  'Open situation': ['restore', 'import situation', 'open'],
  'Empty the sandbox': ['reset', 'clear', 'delete everything', 'wipe', 'empty'],
  'Suspend the current subscription': ['suspend', 'unsuspend', 'pause'],
  'Sign out': ['sign out', 'log out', 'logout', 'end my session', 'leave'],
};

describe('the search of all entries of the palette', () => {
  it.each(Object.entries(meant))(
    'chooses “%s” for what is typed to find it: %s (behaviour 10.10.2)',
    (title, searches) => {
      expect(searches.map((search) => `${search}: ${found(search)[0]}`)).toEqual(
        searches.map((search) => `${search}: ${title}`),
      );
    },
  );

  it('lists no part of the fault lab at a live service, and finds webhooks in the timeline (behaviour 10.20.3)', () => {
    expect(found('webhooks', 'live')[0]).toBe('Timeline');
    expect(found('magic', 'live')).toEqual([]);
  });

  it('leads to the page that empties the sandbox, and to none at a live service (behaviour 10.20.5)', () => {
    const entryIn = (given: typeof facts) => actionsOf(given, 'light', '').find(({ title }) => /^Empty/.test(title));
    expect(entryIn(facts)).toMatchObject({ to: '/sandbox#lab-empty' });
    expect(entryIn(withFacts(facts, { environment: 'live' }))).not.toHaveProperty('to');
  });

  it('ignores accents, and words that say nothing of what is sought', () => {
    expect(rankOf('Use company Société Générale', 'societe generale')).toBe(0.9);
    expect(found('how do I get to the settings')[0]).toBeUndefined();
    expect(found('to the settings')[0]).toBe('Settings');
  });
});
