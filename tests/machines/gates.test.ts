import { describe, expect, it } from 'vitest';
import { alerts, type AlertId } from '#contract/alerts.ts';
import { alertOf, gateOf, type Meta } from '#machines/lib/gate.ts';
import { blockers, journeyOf, reason, type JourneyId } from '#machines/journeys.ts';
import { requirement } from '#machines/requirements.ts';
import { everything, factsAfter, withFacts } from '#tests/support/facts.ts';
import { pathsThrough } from '#tests/support/paths.ts';
import { statesOf } from '#tests/support/pathsFaults.ts';
import { models } from './models.ts';

/** The gates of each page in the order in which they are shown (behaviour, sections 4 and 6). */
const gatesInOrder: Partial<Record<JourneyId, AlertId[]>> = {
  accessToken: ['noOrganisation', 'noCompany'],
  company: ['noOrganisation'],
  account: ['noUserToken'],
  dataset: ['noUserToken', 'noAccount'],
  subscription: ['noOrganisation', 'noCompany', 'noProviders', 'noSubscriptionSupport'],
  bankSubscription: ['noOrganisation', 'noCompany', 'noProviders', 'noSubscriptionSupport'],
  debtor: ['noUsableSubscription', 'noProviders', 'noDebtorSupport'],
  creditor: ['noUsableSubscription', 'noProviders', 'noCreditorSupport'],
  debtorQuery: ['noUsableSubscription', 'noProviders', 'noDebtorSupport'],
  creditorQuery: ['noUsableSubscription', 'noProviders', 'noCreditorSupport'],
  electronicPayment: [
    'noOrganisation',
    'noCompany',
    'notAuthorised',
    'noUsableSubscription',
    'noProviders',
    'noDebtors',
    'noCreditors',
  ],
  filePayment: [
    'noOrganisation',
    'noCompany',
    'notAuthorised',
    'noUsableSubscription',
    'noProviders',
    'noDebtors',
    'noCreditors',
    'noFileFormats',
  ],
  authorisation: ['noUsableSubscription'],
  batch: ['noBatches'],
  batchList: ['noBatches'],
};

const ids = Object.keys(models) as JourneyId[]; // the keys of a record over all ids
const gatesOf = (id: JourneyId) => statesOf(models[id].machine).filter(({ tags }) => tags.includes('gate'));
const metaOf = ({ meta }: { meta?: unknown }) => meta as Meta; // what the charts' setup declares
/** The alerts of a chart, in the order of its gates and of what they require. */
const alertsOf = (id: JourneyId): AlertId[] =>
  gatesOf(id).flatMap((gate) => {
    const { requires = [], alert } = metaOf(gate);
    return [...requires.map(alertOf), ...(alert ? [alert] : [])];
  });

describe('the alert catalogue', () => {
  it('is used in full by the gates of the charts', () => {
    const spoken = new Set(ids.flatMap(alertsOf));
    expect([...spoken].sort()).toEqual(Object.keys(alerts).sort());
  });
});

describe.each(ids)('the gates of %s', (id) => {
  const journey = journeyOf(id);

  it('are one state with all requirements in order, and one for an unsupported choice (behaviour 6.3)', () => {
    expect(alertsOf(id)).toEqual(gatesInOrder[id] ?? []);
    const states = gatesOf(id).map(({ key }) => key);
    const hasChoice = gatesInOrder[id]?.includes('noSubscriptionSupport');
    expect(states).toEqual(gatesInOrder[id] ? ['blocked', ...(hasChoice ? ['noSubscriptionSupport'] : [])] : []);
  });

  it('are each visited by the generated paths', () => {
    const snapshots = pathsThrough(models[id]).flatMap(({ start, steps }) => [
      start,
      ...steps.map((step) => step.snapshot),
    ]);
    const visited = new Set(snapshots.flatMap((snapshot) => gateOf(snapshot)?.alert ?? []));
    expect([...visited].sort()).toEqual([...(gatesInOrder[id] ?? [])].sort());
  });

  it('have the same reasons in the same order as the menu', () => {
    expect(journey.requires.map((need) => requirement(need).alert)).toEqual(
      (gatesInOrder[id] ?? []).filter((alert) => alert !== 'noSubscriptionSupport'),
    );
    expect(reason(id, everything)).toBeUndefined();
    const first = gatesInOrder[id]?.[0];
    expect(reason(id, factsAfter('nothing'))).toBe(first && alerts[first]);
  });
});

describe('the blockers of a journey', () => {
  it('are all missing requirements in order', () => {
    expect(blockers('filePayment', factsAfter('organisation'))).toEqual([
      'company',
      'authorisedSubscription',
      'usableSubscription',
      'provider',
      'debtors',
      'creditors',
    ]);
  });

  it('include a suspension although the subscription is authorised', () => {
    const subscription = { subscriptionId: 'subscription-1', status: 'Authorised', suspendedByConsumer: true };
    expect(reason('electronicPayment', withFacts(everything, { subscription }))).toBe(
      'No subscription, the subscription is not authorised or suspended',
    );
  });

  it('include a capability that the provider lacks', () => {
    const provider = { providerId: 'provider-1', name: 'Example', capabilities: ['DebtorAccountRequired'] };
    const facts = withFacts(everything, { provider });
    expect(reason('debtor', facts)).toBeUndefined();
    expect(reason('debtorQuery', facts)).toBe('The selected provider does not support Debtors');
    expect(reason('creditorQuery', facts)).toBe('The selected provider does not support Creditors');
  });
});
