import type { Locator, Page } from 'playwright-core';
import type { AnyMachineSnapshot } from 'xstate';
import { formErrors, type FormState } from '#machines/lib/form.ts';
import type { JourneyId } from '#machines/journeys.ts';
import type { Step } from '#tests/support/paths.ts';
import { choose, enter, entries, isList } from '#tests/browser/guidedSteps.ts';

/** How the user causes an event: a control, and what is done with it. */
interface Gesture {
  control: Locator;
  act: () => Promise<unknown>;
}

type Payload = Readonly<Record<string, unknown>>;
/** `after`: the model's snapshot after the event. */
type Hand = (page: Page, journey: JourneyId, payload: Payload, after: AnyMachineSnapshot) => Gesture;

/** Does not wait for a navigation that the press starts. */
const clicked = (control: Locator): Gesture => ({ control, act: () => control.click({ noWaitAfter: true }) });

/** A button of the page; a dialog covers those below it. */
const button =
  (name: string | RegExp): Hand =>
  (page) =>
    clicked(
      page
        .locator('main, #step-bar')
        .getByRole('button', { name, exact: true })
        .and(page.locator(':not(dialog *)'))
        .first(),
    );
const inDialog =
  (role: 'alertdialog', name: string): Hand =>
  (page) =>
    clicked(page.getByRole(role).getByRole('button', { name, exact: true }));

/**
 * Chooses the first option of a list with one of these values. Throws if there is none. Opens the list by a key, because an
 * overlay covers a busy form.
 */
async function chooseValue(list: Locator, isWanted: (value: string) => boolean): Promise<void> {
  await list.press('ArrowDown');
  const options = list.page().getByRole('option', { disabled: false });
  const values = await options.evaluateAll((all) => all.map((each) => each.dataset['value'] ?? ''));
  const place = values.findIndex(isWanted);
  if (place < 0) throw new Error(`The list offers only ${values.join(', ')}`);
  await options.nth(place).click();
}

const isNothing = (value: string): boolean => value === '';

/** Chooses another option than the present one, and not the empty one. */
async function chooseAnother(list: Locator): Promise<void> {
  const now = await list.getAttribute('data-value');
  await chooseValue(list, (value) => value !== '' && value !== now);
}
const another =
  (label: string): Hand =>
  (page) => {
    const control = page.getByLabel(label, { exact: true });
    return { control, act: () => chooseAnother(control) };
  };

/** The names at the sandbox of the models' providers and templates. */
const offered: Readonly<Record<string, string>> = {
  'provider-1': 'Larkfield Bacs Bureau',
  'provider-2': 'Cobblewick Bank Files (no subscriptions)',
  'format-1': 'Bacs Standard 18',
  'format-2': 'NACHA ACH credits',
};
const option =
  (label: string, text: (payload: Payload) => string): Hand =>
  (page, _, payload) => {
    const control = page.getByLabel(label, { exact: true });
    return { control, act: () => choose(control, text(payload)) };
  };

/** One of the providers with the bank's name; the walker lists the second one under the first one's id with an end. */
const bankProvider: Hand = (page, _, { providerId }) => {
  const control = page.getByLabel('Select Provider', { exact: true });
  const isSecond = providerId === 'provider-4';
  return {
    control,
    act: () => chooseValue(control, (value) => value !== '' && value.endsWith('-second') === isSecond),
  };
};

const questions: Partial<Record<JourneyId, string>> = {
  bankFiles: 'Bank file country',
  providers: 'Language',
  translations: 'Text',
};

const fields: Partial<Record<JourneyId, Readonly<Record<string, string>>>> = {
  ...entries,
  bankSubscription: { Banks: 'Mock Bank' },
  authorisation: entries.subscription,
  additionalData: { 'Sort code': '112233' },
};

/**
 * Types into the field if the page has one of the same name. Otherwise the provider's form has other fields than the
 * model's: a change that makes the form valid fills all of them, any other only changes or empties the first.
 */
const typing: Hand = (page, journey, { field, value }, after) => {
  const form = after.context as FormState; // only forms hear it
  const known = fields[journey] ?? {};
  const label = form.form.fields.find(({ id }) => id === field)?.label ?? '';
  const [first = ''] = Object.keys(known);
  const typed = label in known ? label : first;
  const control = page.getByLabel(typed, { exact: true });
  const empty = async () => ((await isList(control)) ? choose(control, 0) : control.fill(''));
  const all = label in known || formErrors(form).length > 0 ? { [typed]: known[typed] ?? '' } : known;
  return { control, act: () => (value === '' ? empty() : enter(page, all)) };
};

/** The action of the first row that offers it. */
const inRow =
  (verb: string): Hand =>
  (page) => {
    const name = new RegExp(`^(${verb}) subscription`);
    return clicked(
      page
        .getByRole('button', { name })
        .or(page.getByRole('link', { name }))
        .and(page.locator(':not([aria-disabled=true])'))
        .first(),
    );
  };

/** Presses the link that opens another tab, and closes that tab. */
const opensTab =
  (find: (page: Page) => Locator): Hand =>
  (page) => ({
    control: find(page),
    async act() {
      const opening = page.waitForEvent('popup');
      await find(page).click();
      await (await opening).close();
    },
  });

const hands: Readonly<Record<string, Hand>> = {
  'alert.close': inDialog('alertdialog', 'Back to home'),
  // A query's page has both buttons, and another one while a deletion is awaited.
  'form.cancel': (page, journey, ...rest) =>
    button(/Query$/.test(journey) ? /^(Cancel|Close)$/ : /^(Stop waiting|Cancel|Close)$/)(page, journey, ...rest),
  'answer.leave': button('Stop waiting'),
  'message.sendAgain': button(/^Send again/),
  'update.again': button('Send this update as well'),
  'answer.await': button('Wait for the webhook'),
  'party.another': button(/^Create another /),
  'party.again': button(/^Create a second /),
  'authorise.open': (page, journey, ...rest) =>
    journey === 'batch'
      ? opensTab((shown) => shown.getByRole('link', { name: 'Authorise ↗' }))(page, journey, ...rest)
      : button('Authorise')(page, journey, ...rest),
  // The settings are no form: each change is saved at once.
  'form.submit': (page, journey, ...rest) =>
    journey === 'settings'
      ? button('Continue')(page, journey, ...rest)
      : clicked(page.getByRole('region', { name: 'Actions of this step' }).locator('button[type="submit"]')),
  'form.change': typing,
  'form.fill': button('Fill with example'),
  retry: button(/^(Try again|Resend with the same key|Refresh)$/),
  'question.change': (page, journey, ...rest) => another(questions[journey] ?? '')(page, journey, ...rest),
  'setting.change': another('Provider country'),
  'settings.fill': button('Fill with example'),
  'token.reveal': button('Reveal'),
  'token.hide': button('Hide'),
  'login.start': button(/^Log in/),
  'transfer.open': opensTab((page) => page.getByRole('button', { name: 'Pay $1000.00' })),
  'subscription.select': inRow('Select'),
  'subscription.authorise': inRow('Authorise'),
  'subscription.update': inRow('Update'),
  'subscription.suspend': inRow('Suspend|Unsuspend'),
  'subscription.follow': inRow('Wait for the update of'),
  'authorise.close': button('Close approval page'),
  'query.send': button(/^Query /),
  'party.delete': button(/^Delete /),
  'delete.confirm': inDialog('alertdialog', 'Delete'),
  'delete.dismiss': inDialog('alertdialog', 'Cancel'),
  'batch.read': button('Refresh'),
  'batch.poll': button(/^Poll For Update/),
  'file.download': button('Download bank file'),
  'total.confirm': (page, _, { text }) => {
    const control = page.getByLabel('Type the total to pay real money');
    // The page's total, which differs from the model's.
    const total = () =>
      page
        .locator('dt', { hasText: /^Total$/ })
        .locator('+ dd')
        .innerText();
    return { control, act: async () => control.fill(text === '' ? '' : await total()) };
  },
  'payment.pay': button(/^(Pay [\d,.]|Resend with the same key)/),
  'again.allow': (page) => clicked(page.getByLabel(/^Pay (it|them) again anyway/)),
  'date.choose': (page, _, { date }) => {
    const control = page.getByLabel('Execution date');
    // The model's days are relative to a fixed date.
    const ahead = String(date).endsWith('21') ? 1 : 2;
    const day = new Date(Date.now() + (ahead + 1) * 86_400_000).toISOString().slice(0, 10);
    return { control, act: () => control.fill(day) };
  },
  'review.back': button('Back'),
  'debtor.choose': (page, _, { debtorId }) => {
    const control = page.getByLabel('Bank account', { exact: true });
    return { control, act: () => (debtorId === '' ? chooseValue(control, isNothing) : chooseAnother(control)) };
  },
  'invoices.ask': option('Show', ({ count }) => String(count)),
  'invoices.tick': (page) => clicked(page.getByLabel(/^Pay invoice/).first()),
  'format.choose': option('Bank file template', ({ fileFormatId }) => offered[String(fileFormatId)] ?? ''),
  'path.choose': option('Form for', ({ apiPath }) => String(apiPath)),
  'rules.paste': (page, _, { text }) => {
    const control = page.getByRole('button', { name: 'Use these rules' });
    return {
      control: page.getByText('Paste rules instead', { exact: true }),
      async act() {
        const box = page.getByLabel('Or rules as JSON');
        if (!(await box.isVisible())) await page.getByText('Paste rules instead', { exact: true }).click();
        await box.fill(String(text));
        await control.click();
      },
    };
  },
  'provider.choose': (page, journey, ...rest) =>
    journey === 'bankSubscription'
      ? bankProvider(page, journey, ...rest)
      : option(
          journey === 'additionalData' ? 'Rules of provider' : 'Select Provider',
          ({ providerId }) => offered[String(providerId)] ?? '',
        )(page, journey, ...rest),
  'provider.clear': (page) => clicked(page.getByRole('button', { name: 'Choose another provider' })),
};

/** How a user causes the step's event on the journey's page. Throws if no gesture is defined. */
export function gestureOf(page: Page, journey: JourneyId, { event: { type, ...payload }, snapshot }: Step): Gesture {
  const hand = hands[type];
  if (!hand) throw new Error(`Nobody said how a user causes ${type}`);
  return hand(page, journey, payload, snapshot);
}
