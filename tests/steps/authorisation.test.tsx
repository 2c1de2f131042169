// @vitest-environment jsdom
import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { webhookPollInterval } from '#contract/constants.ts';
import { authorisationMachine } from '#machines/subscription/authorisation.machine.ts';
import { AuthorisationStep } from '#steps/subscription/AuthorisationStep.tsx';
import { rowOf } from '#tests/machines/subscription.models.ts';
import { failure } from '#tests/support/fixtures.ts';
import { messageOf } from '#tests/support/messages.ts';
import { drawn } from './drawn.tsx';

afterEach(cleanup);

const waiting = rowOf();
const authorised = rowOf({ status: 'Authorised' });

async function open(...rows: ReturnType<typeof rowOf>[]) {
  const step = drawn(authorisationMachine, AuthorisationStep);
  await step.answer('loadRows', rows);
  return step;
}

/** A button or link of the row of subscription-1 by its visible words. */
const named = (label: string) => new RegExp(`^${label}(?: of)? subscription subscription-1(?:, in another tab)?$`);
const find = (label: string) =>
  screen.queryByRole('button', { name: named(label) }) ?? screen.queryByRole('link', { name: named(label) });
function control(label: string): HTMLElement {
  const found = find(label);
  if (!found) throw new Error(`The row has no ${label}`);
  return found;
}
const isBlocked = (label: string) => control(label).getAttribute('aria-disabled') === 'true';

/** The cell of the row of subscription-1 in a column. */
const cell = (title: string) =>
  within(screen.getByRole('row', { name: /subscription-1/ }))
    .getAllByRole('cell')
    .find((each) => each.dataset.title === title)!;

/** Why the row has no Authorise. */
const authReason = () => cell('Auth').textContent;
const offersAuthorise = () => find('Authorise') !== null;

const printed = ['SubscriptionId', 'ProviderId', 'Mock Provider', 'Status', 'Auth', 'Update', 'Suspend'];

describe('the subscription list', () => {
  it('has the columns of the specification, and counts its rows (behaviour 4.41)', async () => {
    await open(waiting, rowOf({ subscriptionId: 'subscription-2' }));
    const titles = screen.getAllByRole('columnheader').map(({ textContent }) => textContent?.replace(/[↕↑↓]/, ''));
    expect(titles).toEqual(printed);
    expect(screen.getByText('2 subscriptions')).toBeTruthy();
  });

  it('offers to create a subscription when there is none', async () => {
    await open();
    const link = screen.getByRole('link', { name: 'Create a subscription' });
    expect(link.getAttribute('href')).toBe('/onboardingsubscription?then=%2F');
  });

  it('opens the approval page of the current subscription with the primary action, below the list (behaviour 4.39)', async () => {
    const other = rowOf({ subscriptionId: 'subscription-2', status: 'Authorised' });
    const { user, isIn } = await open(rowOf({ current: true, providerName: 'Larkfield' }), other);
    expect(screen.getByRole('heading', { name: 'Approve at Larkfield' })).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Open approval page' }));
    expect(isIn('approving')).toBe(true);
    const frame = document.querySelector('iframe')!;
    expect(screen.getByRole('table').compareDocumentPosition(frame)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
  });

  it('opens the approval page in another tab if the provider permits no frame (behaviour 4.4)', async () => {
    const { user, isIn } = await open(rowOf({ current: true, framed: false }));
    const link = screen.getByRole('link', { name: 'Open approval page ↗' });
    expect([link.getAttribute('href'), link.getAttribute('target')]).toEqual([waiting.authorise, '_blank']);
    await user.click(link);
    expect(isIn('approving')).toBe(true);
  });

  it('says why the approval page of the current subscription cannot be opened (behaviour 4.39)', async () => {
    const { user, isIn } = await open(rowOf({ current: true, authorise: '' }));
    const button = screen.getByRole('button', { name: 'Open approval page' });
    expect(button.getAttribute('aria-disabled')).toBe('true');
    expect(screen.getByRole('region', { name: 'Actions of this step' }).textContent).toContain('sent no link yet');
    await user.click(button);
    expect(isIn('list')).toBe(true);
  });

  it('names the provider that rejected the current subscription, and offers only another provider (behaviour 4.40)', async () => {
    await open(rowOf({ current: true, status: 'Rejected', providerName: 'Larkfield' }));
    expect(screen.getByRole('heading', { name: 'Rejected by Larkfield' })).toBeTruthy();
    const link = screen.getByRole('link', { name: 'Choose another provider' });
    expect(link.getAttribute('href')).toBe('/onboardingsubscription?another=true&then=%2F');
    expect(screen.queryByRole('button', { name: 'Open approval page' })).toBeNull();
  });

  it('shows ids to copy, the status as a word and a suspension', async () => {
    await open(rowOf({ status: 'Authorised', suspended: true }));
    expect(screen.getByRole('button', { name: 'Copy the subscription id' })).toBeTruthy();
    expect(screen.getByText('Authorised')).toBeTruthy();
    expect(screen.getByText('Suspended by you')).toBeTruthy();
  });

  it('shows beside a status in progress the end that was said before, and offers what the status permits (behaviour 4.47)', async () => {
    await open(rowOf({ status: 'Authorised', ended: 'Rejected' }));
    expect(cell('Status').textContent).toContain('Had ended as Rejected before');
    expect(isBlocked('Suspend')).toBe(false);
    expect(screen.queryByRole('link', { name: /^Create another/ })).toBeNull();
  });

  it.each([
    ['Authorised', waiting.authorise, ''],
    ['Rejected', waiting.authorise, ''],
    ['Unknown to the service', waiting.authorise, ''],
    ['AwaitingAuthorisation', '', 'The provider has sent no link yet. Select “Refresh”'],
    ['Something new', '', 'The provider has sent no link yet. Select “Refresh”'],
  ])(
    'shows no Authorise for one that is %s with the link "%s", and says why (behaviour 4.1)',
    async (status, authorise, reason) => {
      await open(rowOf({ status, authorise }));
      expect(authReason()).toBe(reason);
      expect(offersAuthorise()).toBe(false);
    },
  );

  it.each(['javascript:alert(1)', 'data:text/html,<script>alert(1)</script>', 'http://elsewhere.test/authorise'])(
    'shows a link that leads elsewhere, and does not follow it: %s (threat 3.25)',
    async (elsewhere) => {
      await open(rowOf({ authorise: '', elsewhere }));
      expect(authReason()).toContain(elsewhere);
      expect(offersAuthorise()).toBe(false);
      expect(document.querySelector('iframe, a[target], script')).toBeNull();
    },
  );

  it('shows a row as last read, with the reason, until the service can be reached', async () => {
    const { user, answer } = await open(rowOf({ status: 'Authorised', unread: failure.title, readAt: '' }));
    const row = () => screen.getByRole('row', { name: /subscription-1/ }).textContent;
    expect(row()).toContain(`AuthorisedAs last seen. ${failure.title}`);
    await user.click(control('Select'));
    await answer('select');
    expect(row()).toMatch(/Current.*As last seen/);
    await user.click(screen.getByRole('button', { name: 'Refresh' }));
    await answer('loadRows', [rowOf({ status: 'Authorised' })]);
    expect(row()).not.toContain('As last seen');
  });

  it('offers a new link once the link of the page has expired', async () => {
    const link = (at: string) => ({ authorise: `http://provider.test/${at}`, issuedAt: `2026-11-20T${at}:00:00.000Z` });
    const { user, answer, pass } = await open(rowOf(link('09')));
    await user.click(control('Authorise'));
    const frame = () => document.querySelector('iframe');
    const fresh = () => screen.queryByRole('button', { name: 'Use the new link' });
    const first = frame();
    await pass(webhookPollInterval);
    // A link that differs but was made at the same time is the same one.
    await answer('watch', rowOf({ ...link('09'), authorise: 'http://provider.test/09?again' }));
    expect(fresh()).toBeNull();
    await pass(webhookPollInterval);
    await answer('watch', rowOf(link('10')));
    expect([frame(), frame()?.src]).toEqual([first, 'http://provider.test/09']); // what is typed there stays
    await user.click(fresh()!); // shown, or the test ends here
    expect(frame()?.src).toBe('http://provider.test/10');
    expect(frame()).not.toBe(first);
    expect(fresh()).toBeNull();
  });

  it.each(['Rejected', 'Cancelled', 'Expired'])('offers another subscription for one that is %s', async (status) => {
    await open(rowOf({ status, authorise: '' }));
    expect(authReason()).toBe('');
    expect(offersAuthorise()).toBe(false);
    const link = screen.getByRole('link', { name: 'Create another subscription in place of subscription-1' });
    expect(link.getAttribute('href')).toContain('/onboardingsubscription');
  });

  it.each([
    ['that awaits authorisation', waiting, ['Authorise', 'Update', 'SuspendOnly when Authorised']],
    ['that is authorised', authorised, ['', 'Update', 'Suspend']],
    ['that is suspended', rowOf({ status: 'Authorised', suspended: true }), ['', 'Update', 'Unsuspend']],
    ['without a link', rowOf({ authorise: '' }), [/^The provider has sent no link yet/, 'Update', /^Suspend/]],
    ['without fields', rowOf({ rules: [] }), ['Authorise', 'UpdateIts provider has no fields to update', /^Suspend/]],
    [
      'that the service does not know',
      rowOf({ status: 'Unknown to the service' }),
      ['', 'UpdateThe service does not know it', 'SuspendOnly when Authorised'],
    ],
  ])('has each action or its reason in a column of its own for one %s (behaviour 4.2, 4.41)', async (_, row, texts) => {
    await open(row);
    const shown = printed.slice(4).map((title) => cell(title).textContent);
    expect(shown).toEqual(
      texts.map((text) => (typeof text === 'string' ? text : (expect.stringMatching(text) as string))),
    );
  });

  it.each([
    ['unsuspend', 'subscription-7'],
    ['only when', 'subscription-1'],
    ['suspended by you', 'subscription-7'],
    ['outcome is unknown', 'subscription-8'],
    ['wait for', 'subscription-8'],
    ['as last seen', 'subscription-9'],
    ['current', 'subscription-9'],
    ['larkfield', 'subscription-7'],
  ])('is filtered by all that a row shows: "%s"', async (term, found) => {
    const others = Array.from({ length: 12 }, (_, index) =>
      rowOf({ subscriptionId: `other-${index}`, status: 'Authorised', authorise: '' }),
    );
    const { user } = await open(
      ...others,
      waiting,
      rowOf({ subscriptionId: 'subscription-7', status: 'Authorised', suspended: true, providerName: 'Larkfield' }),
      rowOf({ subscriptionId: 'subscription-8', pending: messageOf({ kind: 'updates', forwarded: false }) }),
      rowOf({ subscriptionId: 'subscription-9', current: true, unread: failure.title }),
    );
    await user.click(screen.getByRole('button', { name: 'Stop waiting' }));
    fireEvent.change(screen.getByLabelText('Filter subscriptions'), { target: { value: term } });
    const left = (await screen.findAllByRole('row')).map(({ textContent }) => textContent);
    expect(left.some((text) => text?.includes(found))).toBe(true);
    expect(left.some((text) => /other-/.test(text ?? ''))).toBe(false);
  });
});

describe('the authorise page', () => {
  const page = () => screen.getByRole('region', { name: 'Approval page of Example Bacs' });

  it('is embedded if the provider permits it, and takes the focus', async () => {
    const { user } = await open(waiting);
    await user.click(control('Authorise'));
    const frame = within(page()).getByTitle('Approval page of Example Bacs');
    expect(frame.getAttribute('src')).toBe(waiting.authorise);
    expect(document.activeElement).toBe(within(page()).getByRole('heading', { level: 2 }));
  });

  it('opens in another tab otherwise, and can be opened again', async () => {
    const { user } = await open(rowOf({ framed: false }));
    const link = control('Authorise');
    expect(link.getAttribute('target')).toBe('_blank');
    expect(link.getAttribute('rel')).toBe('noopener');
    expect(link.getAttribute('href')).toBe(waiting.authorise);
    await user.click(link);
    expect(within(page()).queryByTitle(/Approval page/)).toBeNull();
    expect(within(page()).getByRole('link', { name: 'Open it again' }).getAttribute('href')).toBe(waiting.authorise);
  });

  it('says when it was last checked, and is not loaded again', async () => {
    const { user, pass, answer } = await open(waiting);
    await user.click(control('Authorise'));
    await pass(webhookPollInterval);
    const readAt = '2026-11-20T11:00:00.000Z';
    await answer('watch', { ...waiting, readAt, authorise: 'http://provider.test/fresh' });
    expect(page().querySelector('time')?.dateTime).toBe(readAt);
    expect(
      within(page())
        .getByTitle(/Approval page/)
        .getAttribute('src'),
    ).toBe(waiting.authorise);
  });

  it('stands below the list, which keeps its columns and rows, and whose actions are disabled with a reason (behaviour 4.60)', async () => {
    const opened = rowOf({ subscriptionId: 'subscription-2', providerName: 'Larkfield' });
    const { user } = await open(authorised, opened);
    await user.click(screen.getByRole('button', { name: 'Authorise subscription subscription-2' }));
    const table = screen.getByRole('table');
    expect(
      within(table)
        .getAllByRole('columnheader')
        .map(({ textContent }) => textContent),
    ).toEqual(
      ['SubscriptionId', 'ProviderId', 'Mock Provider', 'Status', 'Auth', 'Update', 'Suspend'], // prettier-ignore
    );
    const frame = screen.getByRole('region', { name: 'Approval page of Larkfield' });
    expect(table.compareDocumentPosition(frame)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
    const [, first, second] = within(table).getAllByRole('row');
    expect(within(second!).getByText('Approval page open')).toBeTruthy();
    expect(within(first!).queryByText('Approval page open')).toBeNull();
    for (const row of [first!, second!]) {
      const update = within(row).getByRole('button', { name: /^Update/ });
      expect(update.getAttribute('aria-disabled')).toBe('true');
    }
    expect(document.getElementById(within(first!).getByRole('button', { name: /^Update/ }).getAttribute('aria-describedby')!)?.textContent).toContain('Waiting for approval'); // prettier-ignore
  });

  it.each([
    ['AwaitingAuthorisation', 'Waiting for approval'],
    ['PENDING', 'Waiting for approval'],
    ['Received', 'Waiting for a reply'],
    ['UnderReview', 'UnderReview'],
  ])('states the status %s once, as "%s", beside the provider’s name (behaviour 4.60)', async (status, words) => {
    const { user } = await open(rowOf({ status, current: true }));
    await user.click(control('Authorise'));
    expect(within(page()).getByRole('status', { name: 'Status' }).textContent).toContain(words);
    expect(within(page()).getByRole('heading', { level: 2 }).textContent).toBe('Example Bacs');
  });

  it('closes once the subscription is decided, and the outcome has the focus', async () => {
    const { user, pass, answer } = await open(waiting);
    await user.click(control('Authorise'));
    await pass(webhookPollInterval);
    await answer('watch', authorised);
    expect(screen.queryByRole('region', { name: /Approval page/ })).toBeNull();
    expect(document.activeElement?.textContent).toBe('Approved. You can pay now');
  });
});
