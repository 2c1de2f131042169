import type { BatchRecord } from '#contract/batch.ts';
import type { Facts } from '#contract/facts.ts';
import { jsonIn } from '#contract/json.ts';
import type { Creditor, Debtor } from '#contract/party.ts';
import type { SubscriptionRecord } from '#contract/subscription.ts';
import { batch } from '#machines/batch/journeys.ts';
import { addressOf, journeyOf, journeyOrder, reason } from '#machines/journeys.ts';
import { whyNot } from '#machines/palette.ts';
import { groupedAmounts } from '#rules/groupedAmounts.ts';
import { isRehearsal } from '#rules/rehearsal.ts';
import { shortId } from '#rules/shortId.ts';
import { connectPath, otherPages } from '../pages.ts';
import { labTabs, sandboxControls as controls } from '../sandboxControls.ts';
import type { ColourMode } from '#app/theme/colourMode.ts';
import { connectWords, controlWords, labWords, pageWords, stepWords } from './searchTerms.ts';

/** One line of the palette: a link to a record, or an action. */
export interface Entry {
  /** Names it among the entries. */
  key: string;
  title: string;
  /** What it is found by besides title and detail. */
  words: string;
  /** Shown beside the title: status, amount, id. */
  detail?: string;
  /** Why it is unavailable now; '' if it is available. */
  blocked?: string;
  /** The address of a link. */
  to?: string;
  /** The name of an action. */
  act?: keyof typeof whyNot | 'colours' | 'keys';
  /** The company to use. */
  owner?: Facts['companies'][number];
}

/** Maximum number of records listed of each kind, newest first; older ones are in their own lists. */
const most = 50;

/** Parses a list stored as JSON in the settings; returns an empty list if it cannot be parsed. */
function listOf<T>(text: string): T[] {
  const list = jsonIn(text);
  return Array.isArray(list) ? (list.slice(-most).toReversed() as T[]) : []; // the server assembles it from such records
}

/** Batches, subscriptions, debtors and creditors of the current company, each linking to the page that shows it. */
export function recordsOf(facts: Facts, debtors: readonly Debtor[], creditors: readonly Creditor[]): Entry[] {
  const nameOf = new Map(
    facts.alternatives.map(({ subscription, provider }) => [subscription.subscriptionId, provider]),
  );
  // They may have been read before another company or subscription was chosen.
  const isCurrent = (party: Debtor | Creditor) => party.subscriptionId === facts.settings.subscriptionId;
  return [
    ...listOf<BatchRecord>(facts.settings.postedBatches).map(({ batchId, status, amount }) => ({
      key: `batch ${batchId}`,
      title: `Batch ${shortId(batchId)}`,
      words: `${batchId} ${amount} payment`,
      detail: `${groupedAmounts(amount)}, ${status}`,
      to: `${batch.path}?${new URLSearchParams({ batchId }).toString()}`,
    })),
    ...listOf<SubscriptionRecord>(facts.settings.subscriptions).map(({ subscriptionId, status }) => ({
      key: `subscription ${subscriptionId}`,
      title: `Subscription ${shortId(subscriptionId)}`,
      words: subscriptionId,
      detail: [
        subscriptionId === facts.settings.subscriptionId ? facts.provider?.name : nameOf.get(subscriptionId)?.name,
        status,
      ]
        .filter(Boolean)
        .join(', '),
      to: `${addressOf('authorisation')}?${new URLSearchParams({ q: subscriptionId }).toString()}`,
    })),
    ...debtors
      .filter(isCurrent)
      .slice(-most)
      .map(({ debtorId, debtorAccountname, ...account }) => ({
        key: `debtor ${debtorId}`,
        title: `Debtor ${debtorAccountname || shortId(debtorId)}`,
        words: `${debtorId} ${account.debtorAgentidentification} ${account.debtorAccountidentification} ${account.currency}`,
        detail: shortId(debtorId),
        to: `${addressOf('debtorQuery')}?${new URLSearchParams({ q: debtorId }).toString()}`,
      })),
    ...creditors
      .filter(isCurrent)
      .slice(-most)
      .map(({ creditorId, creditorname, ...account }) => ({
        key: `creditor ${creditorId}`,
        title: `Creditor ${creditorname || shortId(creditorId)}`,
        words: `${creditorId} ${account.creditorAgentidentification} ${account.creditorAccountidentification}`,
        detail: shortId(creditorId),
        to: `${addressOf('creditorQuery')}?${new URLSearchParams({ q: creditorId }).toString()}`,
      })),
  ];
}

/** The pages that are no steps, and the tabs of the fault lab, where there is one. */
export function pagesIn(environment: Facts['environment'] | undefined): Entry[] {
  const isSandbox = environment === 'sandbox';
  return [
    ...otherPages
      .filter((page) => isSandbox || !('sandbox' in page))
      .map(({ path, title }) => ({ key: path, title, words: pageWords[path], to: path })),
    { key: connectPath, title: 'Connect your program', words: connectWords, detail: 'Your app', to: connectPath },
    ...(isSandbox ? labTabs : []).map(({ id, label }) => {
      const to = `${controls.lab.to}#${id}`;
      return { key: to, title: label, words: labWords[id], detail: controls.lab.title, to };
    }),
  ];
}

/** The steps, each with the reason where it is blocked. */
export const stepsOf = (facts: Facts | null): Entry[] =>
  journeyOrder.map((id) => {
    const { title, group, heading = '', name = '', path } = journeyOf(id);
    const blocked = (facts && reason(id, facts)) ?? '';
    return { key: id, title, words: `${heading} ${name} ${stepWords[id]}`, detail: group ?? '', blocked, to: path };
  });

/** What a long word with a figure may be: the id of a call, an interaction, a message or a webhook in the timeline. */
export const calledBy = (sought: string): Entry[] =>
  /^[\w.:-]{8,}$/.test(sought) && /\d/.test(sought)
    ? [
        {
          key: 'found by id',
          title: `Find ${shortId(sought)} in the timeline`,
          words: '',
          to: `/timeline?${new URLSearchParams({ show: 'all', reads: 'true', find: sought }).toString()}`,
        },
      ]
    : [];

/** The keys that work on every page, with what they do. */
export const keys = [
  ['Ctrl or Cmd K', 'Open or close this list'],
  ['?', 'Show the keys, outside of fields'],
  ['Ctrl or Cmd Enter', 'Press the primary button of the page'],
  ['j and k, ↓ and ↑', 'Move in a list that has the focus'],
  ['Home and End', 'Move to the ends of a list'],
  ['Escape', 'Close what is open'],
] as const;

/** How many entries are recent. */
const mostRecent = 5;

/** The keys of the entries chosen last, with this one first. */
export const recentWith = (key: string, recent: readonly string[]): string[] =>
  [key, ...recent.filter((each) => each !== key)].slice(0, mostRecent);

/** The companies to use. Those of rehearsals are found in the workspace; the current one is listed whatever it is. */
export const companiesOf = ({ companies, companyKey: current }: Facts): Entry[] =>
  companies
    .filter((each) => each.companyKey === current || !isRehearsal(each))
    .map((owner) => {
      const { companyKey, companyId, organisationId, companyName } = owner;
      const name = companyName || shortId(companyId || organisationId);
      const isCurrent = companyKey === current;
      return {
        key: `company ${companyKey}`,
        title: `Use ${companyId ? 'company' : 'organisation'} ${name}${isCurrent ? ' (current)' : ''}`,
        words: `switch change ${companyId} ${organisationId}`,
        ...(isCurrent ? { to: '/' } : { owner }),
      };
    });

/** The actions available anywhere, each with the reason if it is unavailable now; `user` is who is signed in, '' for nobody. */
export function actionsOf(facts: Facts, colours: ColourMode, user: string): Entry[] {
  const { environment, subscription } = facts;
  const verb = subscription?.suspendedByConsumer ? 'Unsuspend' : 'Suspend';
  return [
    {
      key: 'colours',
      title: `Use ${colours === 'dark' ? 'light' : 'dark'} colours`,
      words: 'theme mode night day colors appearance contrast dark light',
      act: 'colours',
    },
    { key: 'keys', title: 'Show the shortcuts', words: 'keyboard, keys, hotkeys, help, ?', act: 'keys' },
    {
      key: 'copy token',
      title: 'Copy the access token',
      words: 'bearer',
      act: 'copyToken',
      blocked: whyNot.copyToken(facts),
    },
    {
      key: 'suspend subscription',
      title: `${verb} the current subscription`,
      words: 'suspend unsuspend pause resume stop',
      act: 'suspend',
      blocked: whyNot.suspend(facts),
    },
    ...(user
      ? [
          {
            key: 'sign out',
            title: 'Sign out',
            words: 'log out, logout, leave, end the session',
            detail: user,
            act: 'signOut' as const,
          },
        ]
      : []),
    ...(['save', 'open', 'empty'] as const).map((id) => ({
      key: id,
      title: controls[id].title,
      words: controlWords[id],
      ...(environment === 'sandbox' ? { to: controls[id].to } : { blocked: controls[id].live }),
    })),
  ];
}
