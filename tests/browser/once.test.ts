import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { BatchRecord } from '#contract/batch.ts';
import type { SubscriptionRecord } from '#contract/subscription.ts';
import { endpoints } from '#tests/support/endpoints.ts';
import type { apiAt } from '#tests/support/api.ts';
import { allPaths } from '#tests/support/coverage.ts';
import { onboard, subscribe } from '#tests/support/guidedPath.ts';
import {
  choosePayment,
  chooseSubscription,
  confirmAnother,
  confirmTotal,
  describeAnotherOrganisation,
  payButton,
  press,
} from './guidedSteps.ts';
import { sharedBetween } from './shared.ts';
import { visit } from './visit.ts';

type Api = ReturnType<typeof apiAt>;

/** Something that must come about once: how it is asked for on its page, and where it is found afterwards. */
interface Write {
  kind: 'organisation' | 'subscription' | 'batch';
  page: string;
  fill: (page: Page) => Promise<void>;
  button: string | RegExp;
  /** What the browser posts to, and the console. */
  path: string;
  upstreamPath: string;
  /** Ids of what the console has kept: all of its records, or the current one where there is but one. */
  kept: (api: Api) => Promise<string[]>;
}

/** Up to the last press. Behind the proxies is no sandbox: real money moves there. */
async function reviewPayment(page: Page): Promise<void> {
  await choosePayment(page);
  await confirmTotal(page);
}

// A new organisation makes those before it unreachable: it comes last.
const writes: readonly Write[] = [
  {
    kind: 'batch',
    page: '/electronicpayments',
    fill: reviewPayment,
    button: /^(Pay [\d,.]|Resend with the same key)/,
    path: '/api/batchpayments',
    upstreamPath: endpoints.batches,
    kept: async ({ done }) =>
      (JSON.parse((await done('getPostedBatches')).data) as BatchRecord[]).map(({ batchId }) => batchId), // the server's records
  },
  {
    kind: 'subscription',
    page: '/onboardingsubscription',
    fill: chooseSubscription,
    button: 'Create Subscription',
    path: '/api/subscription',
    upstreamPath: '/subscriptions',
    kept: async ({ done }) =>
      (JSON.parse((await done('getSettings')).subscriptions) as SubscriptionRecord[]).map(
        (record) => record.subscriptionId,
      ), // likewise
  },
  {
    kind: 'organisation',
    page: '/createorganisation',
    fill: describeAnotherOrganisation,
    button: 'Create organisation',
    path: '/api/organisation',
    upstreamPath: endpoints.createOrganisation,
    kept: async ({ done }) => [(await done('getSettings')).organisationId],
  },
];

const { visiting, between, api } = sharedBetween(async (server) => {
  await onboard(server);
  await subscribe(server, 'Larkfield Bacs Bureau');
});

/** The page says that the invoices are paid, or may be. */
const toldPaid = (page: Page) =>
  page
    .getByText(/paid already|is paid or may be|are paid or may be/)
    .first()
    .waitFor();

/** A success leads to the root (behaviour, section 2). */
const succeeded = (page: Page) => page.waitForURL(({ pathname }) => pathname === '/');

/**
 * After a reload what was chosen is there again; a payment is to be reviewed once more, and another organisation to be
 * asked for.
 */
async function takenUp(page: Page): Promise<void> {
  const review = page.getByRole('button', { name: 'Review', exact: true });
  const another = page.getByRole('button', { name: 'Create another', exact: true });
  const ready = page.getByRole('button', { name: /^(Review|Create (Subscription|another))$/ });
  await ready.first().waitFor();
  if (await another.isVisible()) await confirmAnother(page);
  if (!(await review.isVisible())) return;
  await review.click();
  await confirmTotal(page);
}

// Before those that make subscriptions, and before another organisation.
describe('one payment of the same invoices, there and here', () => {
  it.runIf(allPaths)(
    'when it is paid before midnight, its response is lost, and the page is opened again after midnight (threat 3.18)',
    async () => {
      // A clock that was set keeps its time: this page is not shared.
      const own = await visit(visiting().page.context().browser()!, between().front.url); // connected to
      onTestFinished(() => own.close());
      const { page } = own;
      const before = between().made('batch');
      await page.clock.setFixedTime(new Date('2030-03-01T23:58:00'));
      await page.goto('/electronicpayments');
      await reviewPayment(page);
      const held = between().back.hold(endpoints.batches);
      await payButton(page).click();
      await held.answered;
      held.lose();
      await page.getByRole('heading', { name: 'Outcome unknown' }).waitFor();
      // A webhook names the batch, and the page settles the payment by itself.
      await page
        .getByText(/^(Paid once|Sent once)/)
        .first()
        .waitFor();
      await page.clock.setFixedTime(new Date('2030-03-02T00:01:00'));
      await page.goto('/electronicpayments');
      await page.getByRole('row').filter({ hasText: 'INV-00001' }).getByText(/Paid/).first().waitFor();
      expect(
        between()
          .made('batch')
          .filter((id) => !before.includes(id)),
      ).toHaveLength(1);
    },
  );
});

/** Each goes the same way: in `npm test` a payment goes it. */
const tried = allPaths ? writes : writes.slice(0, 1);

describe.each(tried)('one $kind, there and here', ({ kind, page: path, fill, button, kept, ...write }) => {
  const sender = (page: Page) => page.getByRole('button', { name: button, exact: true });
  const send = (page: Page) => sender(page).click();
  let before: string[];
  beforeEach(() => {
    before = between().made(kind);
  });

  async function filled(page: Page): Promise<void> {
    await page.goto(path);
    await fill(page);
  }

  /** The service has made as many as that since the test began, and the console knows every one. */
  async function expectMade(count: number): Promise<void> {
    const made = between()
      .made(kind)
      .filter((id) => !before.includes(id));
    expect(made).toHaveLength(count);
    const known = await kept(api());
    expect(known).toEqual(kind === 'organisation' ? made.slice(-1) : expect.arrayContaining(made));
    expect(new Set(known).size).toBe(known.length);
  }

  it('when it is pressed twice, and in two tabs at once', async () => {
    const { page } = visiting();
    const other = await page.context().newPage();
    await filled(page);
    await filled(other);
    const posts = between().front.posts(write.path);
    const held = between().back.hold(write.upstreamPath);
    await Promise.all([sender(page).dblclick(), sender(other).dblclick()]);
    await held.answered;
    await vi.waitFor(() => expect(between().front.posts(write.path)).toBe(posts + 2));
    held.pass();
    // Of two reviews of one payment the first that is sent pays it; the other is told so.
    const ends = [page, other].map((each) =>
      kind === 'batch' ? Promise.any([succeeded(each), toldPaid(each)]) : succeeded(each),
    );
    await Promise.all(ends);
    await expectMade(1);
  });

  it('when the page is reloaded while the call is in progress, and the button is pressed again', async () => {
    const { page } = visiting();
    await filled(page);
    const held = between().back.hold(write.upstreamPath);
    await send(page);
    await held.answered;
    await page.reload();
    await takenUp(page);
    // A webhook has told of the batch before its response has arrived.
    if (kind === 'batch') await toldPaid(page);
    else await send(page);
    held.pass();
    if (kind !== 'batch') await succeeded(page);
    await vi.waitFor(() => expectMade(1));
  });

  it('when its response is lost and the button is pressed again', async () => {
    const { page } = visiting();
    await filled(page);
    const held = between().front.hold(write.path);
    await send(page);
    await held.answered;
    held.lose();
    await press(page, 'Resend with the same key');
    await succeeded(page);
    await expectMade(1);
  });

  it('when the console is killed after the service has created it, and restarted (threat 3.15)', async () => {
    const { page } = visiting();
    await filled(page);
    const held = between().back.hold(write.upstreamPath);
    await send(page);
    await held.answered;
    await between().program.stop('SIGKILL');
    held.lose();
    await page.getByRole('button', { name: 'Resend with the same key' }).waitFor();
    await between().program.start();
    await press(page, 'Resend with the same key');
    await succeeded(page);
    await expectMade(1);
  });

  it('each time that the user repeats it, and a reload afterwards sends nothing', async () => {
    const { page } = visiting();
    await filled(page);
    await send(page);
    await succeeded(page);
    await page.goto(path);
    await page.reload();
    await fill(page);
    await expectMade(1);
    await send(page);
    await succeeded(page);
    await expectMade(2);
  });
});
