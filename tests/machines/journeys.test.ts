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

describe('the registry of journeys', () => {
  it('has no journey at an unknown path', () => {
    expect(journeyAt('/nowhere')).toBeUndefined();
  });

  it('finds a journey at each path at which the router finds its step', () => {
    for (const id of journeyOrder) {
      const { path } = journeyOf(id);
      for (const typed of [path, `${path}/`, `${path}//`, path.toUpperCase(), `${path}/x`, `/x${path}`, `/${path}`])
        expect(journeyAt(typed), typed).toBe(matchPath(path, typed) ? id : undefined);
    }
  });

  it('names a journey by its title, or by its name if the title is ambiguous', () => {
    expect(nameOf('company')).toBe('Create Company');
    expect(nameOf('authorisation')).toBe('Authorise');
  });

  it('writes into an address how the page was opened', () => {
    expect(addressOf('company')).toBe('/createcompany');
    expect(addressOf('company', { guided: true })).toBe('/createcompany?guided=true');
    expect(addressOf('company', { then: '/debtors' })).toBe('/createcompany?then=%2Fdebtors');
  });

  it('has each journey under its own id, with a summary sentence, and names no journey that it lacks', () => {
    const known: readonly string[] = journeyOrder;
    for (const id of journeyOrder) {
      const { id: own, summary, after, list = id } = journeyOf(id);
      expect([own, summary]).toEqual([id, expect.stringMatching(/\.$/)]);
      expect([...after, list].filter((other) => !known.includes(other))).toEqual([]);
    }
  });
});

describe('requirements', () => {
  it.each(needs)('include %s, which a journey provides', (need) => {
    expect(providing(need)).toBeDefined();
  });
});

describe('the prerequisite for which a page was left', () => {
  const suspended = { subscriptionId: 'subscription-1', status: 'Authorised', suspendedByConsumer: true };

  it.each([
    ['is provided once the organisation exists', 'organisation', '/createcompany', factsAfter('organisation'), true],
    ['is not provided before the organisation exists', 'organisation', '/createcompany', factsAfter('settings'), false],
    [
      'is provided if the journey meets all that the page requires of it',
      'authorisation',
      '/debtors?guided=true',
      everything,
      true,
    ],
    [
      'is not provided if the journey meets only a part of it',
      'authorisation',
      '/electronicpayments',
      withFacts(everything, { subscription: suspended }),
      false,
    ],
    [
      'is provided although the page requires more than the journey can provide',
      'authorisation',
      '/electronicpayments',
      factsAfter('authorisation'),
      true,
    ],
    [
      'is not provided if the journey itself is blocked',
      'creditor',
      '/electronicpayments',
      withFacts(everything, { creditors: 0, lost: 'organisation', subscription: null }),
      false,
    ],
    [
      'is not provided without a result, for a page that requires nothing of it',
      'company',
      '/settings',
      factsAfter('organisation'),
      false,
    ],
    ['is provided with a result, for an unknown page', 'company', '/nowhere', factsAfter('company'), true],
  ] as const)('%s (behaviour 4.24)', (_, id, address, facts, expected) => {
    expect(hasProvided(id, address, facts)).toBe(expected);
  });

  it('is never provided by a journey without a result', () => {
    expect(isDone('transfer', everything)).toBe(false);
  });
});

describe('a fact that could not be read', () => {
  const missing = withFacts(everything, { provider: null });
  const unread = withFacts(missing, { unread: ['provider'], unreadBecause: failure });

  it('replaces a missing requirement in the status text', () => {
    expect(requirementStatus('provider', unread)).toBe(`This could not be read: ${failure.title}`);
    expect(reason('debtor', unread)).toBe(failure.title);
    const silent = withFacts(unread, { unreadBecause: null });
    expect(requirementStatus('provider', silent)).toBe('This could not be read: the service did not say why');
    expect(reason('debtor', silent)).toBeUndefined();
  });

  it('is not mentioned if the requirement is met or was read', () => {
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

  it('does not undo a journey’s result', () => {
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

describe('the phases of the guided path', () => {
  it('contain each of its rows, and each journey of the map', () => {
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

  it('contain the journeys of the areas, each once', () => {
    const areas = ['settings', 'lookup', 'onboarding', 'subscription', 'party', 'payment', 'batch'] as const;
    expect(areas.flatMap(journeysIn).sort()).toEqual([...journeyOrder].sort());
    expect(journeysIn('settings')).toEqual(['settings']);
  });
});

describe('the page paths', () => {
  it('are known to the server, which accepts no other as a return path', () => {
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
  it('leads from the settings to the batch', () => {
    expect(guidedPath(factsAfter('nothing'))).toEqual(stages);
  });

  it('omits the network’s rows while the network is not used', () => {
    const withoutNetwork = withFacts(factsAfter('nothing'), { settings: { useNetwork: 'false' } });
    const network = ['userToken', 'account', 'dataset'];
    expect(guidedPath(withoutNetwork)).toEqual(stages.filter((stage) => !network.includes(stage)));
  });

  it('of a rehearsal omits the network’s rows, and that of another company keeps them (behaviour 10.20.13)', () => {
    const { companies, companyKey } = everything;
    const rehearsal = { ...companies[0]!, companyKey: 'rehearsal', companyName: 'Rehearsal' };
    const both = { ...everything, companies: [...companies, rehearsal] };
    expect(guidedPath({ ...both, companyKey })).toEqual(stages);
    const network = ['userToken', 'account', 'dataset'];
    expect(guidedPath({ ...both, companyKey: 'rehearsal' })).toEqual(
      stages.filter((stage) => !network.includes(stage)),
    );
  });

  it.each(['organisation', 'signingKey', 'company'] as const)(
    'counts no row as done that depends on a lost %s (behaviour 10.27.9)',
    (lost) => {
      const facts = withFacts(everything, { lost, subscription: null, accessToken: false });
      const from = stages.indexOf(lost === 'company' ? 'company' : 'organisation');
      const free: readonly string[] = ['settings', 'userToken'];
      expect(stages.slice(from).filter((stage) => isDone(stage, facts) && !free.includes(stage))).toEqual([]);
      expect(nextJourney(facts)).toBe(stages[from]);
    },
  );

  it('counts debtors and creditors of a lost subscription as not done, but the batch (behaviour 10.27.9)', () => {
    const facts = withFacts(everything, { lost: 'subscription', subscription: null });
    expect((['debtor', 'creditor', 'batch'] as const).map((stage) => isDone(stage, facts))).toEqual([
      false,
      false,
      true,
    ]);
  });

  it.each(stages)('has %s as the next step when all earlier ones are done', (stage) => {
    const before = stages[stages.indexOf(stage) - 1] ?? 'nothing';
    expect(nextJourney(factsAfter(before))).toBe(stage);
    expect(isDone(stage, factsAfter(before))).toBe(false);
    expect(isDone(stage, factsAfter(stage))).toBe(true);
  });

  it('has no next step at its end', () => {
    expect(nextJourney(everything)).toBeUndefined();
  });

  it('continues with a new subscription if the provider has rejected the only one (behaviour 4.40)', () => {
    const rejected = { subscriptionId: 's1', status: 'Rejected', suspendedByConsumer: false };
    const facts = withFacts(everything, { subscription: rejected, alternatives: [] });
    expect(nextJourney(facts)).toBe('subscription');
    expect(journeyOf('subscription').whyNext?.(facts)).toBe('Rejected by Example Bacs.');
    expect(journeyOf('subscription').nextLabel?.(facts)).toBe('Choose another provider');
  });

  it('continues with the subscription list while another stored subscription is active', () => {
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

  it('offers a bank as an alternative to a form, and a file to an electronic payment', () => {
    expect(alternatives('subscription')).toEqual(['bankSubscription']);
    expect(alternatives('electronicPayment')).toEqual(['filePayment']);
    expect(alternatives('company')).toEqual([]);
  });
});
