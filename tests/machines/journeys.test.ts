import { describe, expect, it } from 'vitest';
import { menuGroups } from '#machines/journey.ts';
import {
  alternatives,
  guidedPath,
  isDone,
  journeyAt,
  journeyOf,
  journeyOrder,
  nextJourney,
  providing,
} from '#machines/journeys.ts';
import { requirements, type RequirementId } from '#machines/requirements.ts';
import { everything, factsAfter, stages, withFacts } from '#tests/support/facts.ts';

/** Routes, groups and labels of the specification's section 2, copied by hand; a group's own label where it has none. */
const routes: [path: string, group: string | undefined, label: string | undefined][] = [
  ['/settings', 'Misc', 'Settings'],
  ['/consumerhealth', 'Misc', 'ConsumerAPI Health'],
  ['/messaginghealth', 'Misc', 'MessagingAPI Health'],
  ['/translation', 'Misc', 'Translations'],
  ['/createorganisation', 'Org/Comp', undefined],
  ['/createcompany', 'Org/Comp', undefined],
  ['/getaccesstoken', 'Org/Comp', undefined],
  ['/getnetworkaccesstoken', 'Acct/DataSet', 'Get User Token'],
  ['/createaccount', 'Acct/DataSet', undefined],
  ['/createdataset', 'Acct/DataSet', undefined],
  ['/onboardingsubscription', 'Subscriptions', 'Create with OnBoarding'],
  ['/openbankingsubscription', 'Subscriptions', 'Create with OpenBanking'],
  ['/subscriptionlist', 'Subscriptions', 'List'],
  ['/additionaldata', undefined, undefined],
  ['/bankfiles', 'Rules', 'Bank Files'],
  ['/providers', 'Rules', 'Providers'],
  ['/debtors', 'Debtors/Creditors', 'Create Debtor'],
  ['/debtorsquery', 'Debtors/Creditors', 'Debtor Query'],
  ['/creditors', 'Debtors/Creditors', 'Create Creditor'],
  ['/creditorsquery', 'Debtors/Creditors', 'Creditor Query'],
  ['/electronicpayments', 'Payments', undefined],
  ['/filepayments', 'Payments', undefined],
  ['/getbatch', 'Payments', 'Get Batch'],
  ['/paymentlist', 'Payments', 'List Payments'],
  ['/etransfer', 'Payments', 'eTransfer Funding'],
];

const needs = Object.keys(requirements) as RequirementId[]; // the keys of a const object

describe('the registry', () => {
  it('has a journey at every route of the specification but the home page, and no other', () => {
    expect(journeyOrder.map((id) => journeyOf(id).path).sort()).toEqual(routes.map(([path]) => path).sort());
  });

  it.each(routes)('lists %s in the menu as the specification does', (path, group, label) => {
    const id = journeyAt(path);
    const journey = id && journeyOf(id);
    expect(journey?.group).toBe(group);
    expect(journey?.title).toBe(label ?? journey?.title);
    expect(journey?.title).not.toBe('');
  });

  it('knows no journey at an address of its own making', () => {
    expect(journeyAt('/nowhere')).toBeUndefined();
  });

  it('has the menu groups in the order of the top bar', () => {
    expect(menuGroups).toEqual([
      'Misc',
      'Org/Comp',
      'Acct/DataSet',
      'Subscriptions',
      'Rules',
      'Debtors/Creditors',
      'Payments',
    ]);
  });

  it('keys each journey by its own id and says which call it makes', () => {
    for (const id of journeyOrder) {
      expect(journeyOf(id).id).toBe(id);
      expect(journeyOf(id).summary).toMatch(/\.$/);
    }
  });
});

describe('requirements', () => {
  it.each(needs)('%s is provided by some journey', (need) => {
    expect(providing(need)).toBeDefined();
  });

  it.each(needs)('%s says where it stands, before and after the guided path', (need) => {
    const { stands } = requirements[need];
    expect(stands(factsAfter('nothing'))).toMatch(/\S/);
    expect(stands(everything)).toMatch(/\S/);
  });

  it('share no alert within one journey, for each alert is one state', () => {
    for (const id of journeyOrder) {
      const spoken = journeyOf(id).requires.map((need) =>
        'alert' in requirements[need] ? requirements[need].alert : need,
      );
      expect(new Set(spoken).size).toBe(spoken.length);
    }
  });

  it('are all met at the end of the guided path', () => {
    expect(needs.filter((need) => !requirements[need].met(everything))).toEqual([]);
  });
});

describe('the order of journeys', () => {
  it('puts each journey after those it comes after and those that provide what it requires', () => {
    const place = (id: string) => journeyOrder.findIndex((each) => each === id);
    for (const id of journeyOrder) {
      const before = [...journeyOf(id).after, ...journeyOf(id).requires.map((need) => providing(need) ?? 'nobody')];
      for (const other of before) expect(place(other), `${other} comes before ${id}`).toBeGreaterThanOrEqual(0);
      for (const other of before.filter((each) => each !== id))
        expect(place(other), `${other} before ${id}`).toBeLessThan(place(id));
    }
  });
});

describe('the guided path', () => {
  it('goes from the settings to the batch', () => {
    expect(guidedPath(factsAfter('nothing'))).toEqual(stages);
  });

  it('leaves out the rows of the network while it is not used', () => {
    const withoutNetwork = withFacts(factsAfter('nothing'), { settings: { useNetwork: 'false' } });
    const network = ['userToken', 'account', 'dataset'];
    expect(guidedPath(withoutNetwork)).toEqual(stages.filter((stage) => !network.includes(stage)));
  });

  it.each(stages)('has %s next when all before it is done', (stage) => {
    const before = stages[stages.indexOf(stage) - 1] ?? 'nothing';
    expect(nextJourney(factsAfter(before))).toBe(stage);
    expect(isDone(stage, factsAfter(before))).toBe(false);
    expect(isDone(stage, factsAfter(stage))).toBe(true);
  });

  it('has an end', () => {
    expect(nextJourney(everything)).toBeUndefined();
  });

  it('offers a bank instead of a form and a file instead of an electronic payment', () => {
    expect(alternatives('subscription')).toEqual(['bankSubscription']);
    expect(alternatives('electronicPayment')).toEqual(['filePayment']);
    expect(alternatives('company')).toEqual([]);
  });
});
