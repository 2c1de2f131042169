import { matchPath } from 'react-router-dom';
import { describe, expect, it } from 'vitest';
import { isPagePath } from '#contract/pages.ts';
import {
  addressOf,
  alternatives,
  guidedPath,
  heldUpBy,
  isDone,
  isUnread,
  journeyAt,
  journeyOf,
  journeyOrder,
  journeysIn,
  nameOf,
  nextJourney,
  phaseBeside,
  phaseOf,
  providing,
  reason,
  requirementStatus,
} from '#machines/journeys.ts';
import { hasProvided } from '#machines/unblock.ts';
import { requirements, type RequirementId } from '#machines/requirements.ts';
import { everything, factsAfter, stages, withFacts } from '#tests/support/facts.ts';
import { failure } from '#tests/support/fixtures.ts';

const needs = Object.keys(requirements) as RequirementId[]; // the keys of a const object

describe('the registry', () => {
  it('knows no journey at an address of its own making', () => {
    expect(journeyAt('/nowhere')).toBeUndefined();
  });

  it('finds a journey wherever the page’s router finds its step', () => {
    for (const id of journeyOrder) {
      const { path } = journeyOf(id);
      for (const typed of [path, `${path}/`, `${path}//`, path.toUpperCase(), `${path}/x`, `/x${path}`, `/${path}`])
        expect(journeyAt(typed), typed).toBe(matchPath(path, typed) ? id : undefined);
    }
  });

  it('calls a journey by its title, or by its name where the title alone says too little', () => {
    expect(nameOf('company')).toBe('Create Company');
    expect(nameOf('authorisation')).toBe('Authorise');
  });

  it('keeps in an address how the page was opened', () => {
    expect(addressOf('company')).toBe('/createcompany');
    expect(addressOf('company', { guided: true })).toBe('/createcompany?guided=true');
    expect(addressOf('company', { then: '/debtors' })).toBe('/createcompany?then=%2Fdebtors');
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
    const { statusText } = requirements[need];
    expect(statusText(factsAfter('nothing'))).toMatch(/\S/);
    expect(statusText(everything)).toMatch(/\S/);
  });

  it('share no alert within one journey, for each alert is one state', () => {
    for (const id of journeyOrder) {
      const spoken = journeyOf(id).requires.map((need) =>
        'alert' in requirements[need] ? requirements[need].alert : need,
      );
      expect(new Set(spoken).size).toBe(spoken.length);
    }
  });

  it('are all met at the end of the guided path (behaviour 10.17.2)', () => {
    expect(needs.filter((need) => !requirements[need].isMet(everything))).toEqual([]);
  });
});

describe('what a page was left for', () => {
  const suspended = { subscriptionId: 'subscription-1', status: 'Authorised', suspendedByConsumer: true };

  it.each([
    ['the organisation, once it is there', 'organisation', '/createcompany', factsAfter('organisation'), true],
    ['the organisation, not before', 'organisation', '/createcompany', factsAfter('settings'), false],
    ['all that the page requires of the journey', 'authorisation', '/debtors?guided=true', everything, true],
    [
      'not a part of it',
      'authorisation',
      '/electronicpayments',
      withFacts(everything, { subscription: suspended }),
      false,
    ],
    ['no more than the journey gives', 'authorisation', '/electronicpayments', factsAfter('authorisation'), true],
    [
      'nothing that the journey, at a gate itself, cannot give',
      'creditor',
      '/electronicpayments',
      withFacts(everything, { creditors: 0, lost: 'organisation', subscription: null }),
      false,
    ],
    ['the result, for a page that requires nothing of it', 'company', '/settings', factsAfter('organisation'), false],
    ['the result, for a page that is unknown', 'company', '/nowhere', factsAfter('company'), true],
  ] as const)('is %s (behaviour 4.24)', (_, id, address, facts, expected) => {
    expect(hasProvided(id, address, facts)).toBe(expected);
  });

  it('is never there for a journey without a result', () => {
    expect(isDone('transfer', everything)).toBe(false);
  });
});

describe('what could not be read', () => {
  const missing = withFacts(everything, { provider: null });
  const unread = withFacts(missing, { unread: ['provider'], unreadBecause: failure });

  it('is told instead of what is missing', () => {
    expect(requirementStatus('provider', unread)).toBe(`This could not be read: ${failure.title}`);
    expect(reason('debtor', unread)).toBe(failure.title);
    const silent = withFacts(unread, { unreadBecause: null });
    expect(requirementStatus('provider', silent)).toBe('This could not be read: the service did not say why');
    expect(reason('debtor', silent)).toBeUndefined();
  });

  it('is not told of what is met or was read', () => {
    expect(requirementStatus('provider', withFacts(unread, { provider: everything.provider }))).toBe(
      'Provider Example Bacs',
    );
    expect(requirementStatus('provider', missing)).toMatch(/^The service does not know/);
    expect(requirementStatus('debtors', withFacts(unread, { debtors: 0 }))).toBe('No debtors yet');
    expect([isUnread('provider', unread), isUnread('providers', unread), isUnread('debtors', unread)]).toEqual([
      true,
      false,
      false,
    ]);
  });

  it('holds up no journey that has given its result', () => {
    expect(heldUpBy('subscription', missing)).toBe('provider');
    expect(heldUpBy('subscription', unread)).toBeUndefined();
    expect(heldUpBy('subscription', everything)).toBeUndefined();
    const incapable = { providerId: 'provider-1', name: 'Example', capabilities: ['SubscriptionRequired'] };
    expect(heldUpBy('subscription', withFacts(everything, { provider: incapable }))).toBe('debtorSupport');
    // No row of the guided path asks for queries.
    const mute = { ...incapable, capabilities: ['DebtorAccountRequired'] };
    expect(heldUpBy('subscription', withFacts(everything, { provider: mute }))).toBeUndefined();
    expect([isDone('subscription', missing), isDone('subscription', unread)]).toEqual([false, true]);
  });
});

describe('the phases', () => {
  it('have each row of the guided path, and place every journey of the map', () => {
    const rows = guidedPath(factsAfter('nothing')).map((id) => [id, phaseOf(id)]);
    expect(Object.fromEntries(rows)).toEqual({
      settings: 'Set up',
      organisation: 'Identity',
      company: 'Identity',
      accessToken: 'Identity',
      userToken: 'Data',
      account: 'Data',
      dataset: 'Data',
      subscription: 'Connect',
      authorisation: 'Connect',
      debtor: 'Pay',
      creditor: 'Pay',
      electronicPayment: 'Pay',
      batch: 'Pay',
    });
    expect(phaseOf('transfer')).toBeUndefined();
    expect([phaseBeside('transfer'), phaseBeside('providers'), phaseBeside('consumerHealth')]).toEqual([
      'Pay',
      'Set up',
      'Set up',
    ]);
  });

  it('hold the journeys of the areas, each once', () => {
    const areas = ['settings', 'lookup', 'onboarding', 'subscription', 'party', 'payment', 'batch'] as const;
    expect(areas.flatMap(journeysIn).sort()).toEqual([...journeyOrder].sort());
    expect(journeysIn('settings')).toEqual(['settings']);
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

describe('the list of a journey’s results', () => {
  it('is another journey', () => {
    const lists = journeyOrder.flatMap((id) => journeyOf(id).list ?? []);
    expect(lists.length).toBeGreaterThan(0);
    expect(lists.filter((id) => !journeyOrder.some((other) => other === id))).toEqual([]);
  });
});

describe('the paths of the page', () => {
  it('are known to the server, which leads back to no other', () => {
    const routes = [
      ...journeyOrder.flatMap((id) => [journeyOf(id).path, `/journeys/${id}`]),
      '/',
      '/journeys',
      '/timeline',
      '/run',
    ];
    expect(routes.filter((path) => !isPagePath(path))).toEqual([]);
    expect(['', '//', '//settings', '/settings/', '/journeys/', '/api/settings'].filter(isPagePath)).toEqual([]);
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

  it('continues with another subscription once the provider has rejected the only one (behaviour 4.40)', () => {
    const rejected = { subscriptionId: 's1', status: 'Rejected', suspendedByConsumer: false };
    const facts = withFacts(everything, { subscription: rejected, alternatives: [] });
    expect(nextJourney(facts)).toBe('subscription');
    expect(journeyOf('subscription').whyNext?.(facts)).toBe('Rejected by Example Bacs.');
    expect(journeyOf('subscription').nextLabel?.(facts)).toBe('Choose another provider');
  });

  it('continues with the list while another stored subscription has not ended', () => {
    const rejected = { subscriptionId: 's1', status: 'Rejected', suspendedByConsumer: false };
    const other = {
      subscription: { ...rejected, subscriptionId: 's2', status: 'Received' },
      providerId: 'p',
      provider: null,
    };
    const alternatives = [{ ...other, country: '', debtors: 0, creditors: 0 }];
    const facts = withFacts(everything, { subscription: rejected, alternatives });
    expect(nextJourney(facts)).toBe('authorisation');
    expect(journeyOf('authorisation').whyNext?.(facts)).toBe('Rejected by Example Bacs. Select another subscription.');
  });

  it('offers a bank instead of a form and a file instead of an electronic payment', () => {
    expect(alternatives('subscription')).toEqual(['bankSubscription']);
    expect(alternatives('electronicPayment')).toEqual(['filePayment']);
    expect(alternatives('company')).toEqual([]);
  });
});
