// @vitest-environment jsdom
import { fireEvent, screen, within, cleanup, render } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState, type ReactNode } from 'react';
import { describe, expect, it, vi, afterEach, onTestFinished } from 'vitest';
import { Button, ChakraProvider } from '@chakra-ui/react';
import { parse, stringify } from '#contract/json.ts';
import { type Field, type Values, subscriptionForm } from '#rules/field.ts';
import { Badge } from '#ui/Badge.tsx';
import { AlertDialog, ConfirmDialog, initialFocus } from '#ui/Dialog.tsx';
import { FailurePanel } from '#ui/FailurePanel.tsx';
import { FormFields } from '#ui/FormFields.tsx';
import { JsonView } from '#ui/JsonView.tsx';
import { relative } from '#ui/Time.tsx';
import { offered, pick } from '#tests/support/gestures.ts';
import { renderPage } from '#tests/support/page.tsx';
import { applyRules } from '#tests/support/styles.ts';
import { system } from '#app/theme/system.ts';
import { EmptyState } from '#ui/EmptyState.tsx';
import type { Rule } from '#contract/lookup.ts';
import { fieldsOf, ownForms, type FormName } from '#contract/forms.ts';
import { ownForm } from '#rules/forms.ts';
import { FormField } from '#ui/FormField.tsx';
import { Trail, type TrailEvent } from '#ui/Trail.tsx';

// The space between words depends on the styles.
applyRules(document.defaultView!); // the document is shown

const fieldOf = (id: string, changes: Partial<Field>): Field => ({
  id,
  label: id,
  description: '',
  example: '',
  required: false,
  kind: 'text',
  options: [],
  regex: '',
  errorMessage: '',
  paths: [id],
  ...changes,
});

const optionsOf = (many: number) => Array.from({ length: many }, (_, n) => ({ value: `v${n}`, label: `Bank ${n}` }));

function Form({ fields, given = {}, onSubmit = () => {} }: { fields: Field[]; given?: Values; onSubmit?: () => void }) {
  const [values, setValues] = useState(given);
  return (
    <>
      <FormFields
        form={{ fields }}
        values={values}
        errors={[]}
        submitLabel="Send"
        onChange={(field, value) => setValues({ ...values, [field]: value })}
        onSubmit={onSubmit}
        onCancel={() => {}}
      />
      <output aria-label="values">{JSON.stringify(values)}</output>
    </>
  );
}

const values = () => JSON.parse(screen.getByLabelText('values').textContent ?? '') as Values;

describe('a form made from rules', () => {
  it('states that a value is too long to be checked only if it is (threat 4.3)', () => {
    const field = fieldOf('text', { regex: '(?=a*-)a' });
    const note = /too long to be checked against its pattern here; the provider checks it/;
    const { unmount } = renderPage(<Form fields={[field]} given={{ text: 'a-b' }} />);
    expect(screen.queryByText(note)).toBeNull();
    unmount();
    renderPage(<Form fields={[field]} given={{ text: 'a'.repeat(300_000) }} />);
    expect(screen.getByText(note)).toBeDefined();
  });

  it('shows a field’s description, example and note below its label', () => {
    renderPage(
      <Form fields={[fieldOf('iban', { description: 'Account', example: 'GB33', note: 'Not checked here' })]} />,
    );
    const description = /^Account ?; for example GB33 Not checked here$/;
    expect(screen.getByRole('textbox', { name: 'iban (optional)', description })).toBeDefined();
  });

  it('shows a field’s error in place of its hint', () => {
    const fields = [fieldOf('iban', { description: 'Account', required: true })];
    const errors = [{ id: 'iban', message: 'iban: enter a value' }];
    const form = { form: { fields }, values: {}, submitLabel: 'Send', onChange: () => {}, onSubmit: () => {}, onCancel: () => {} }; // prettier-ignore
    const { unmount } = renderPage(<FormFields {...form} errors={[]} />);
    expect(screen.getByRole('textbox', { name: 'iban', description: 'Account' })).toHaveProperty('required', true);
    unmount();
    renderPage(<FormFields {...form} errors={errors} />);
    expect(screen.getByRole('textbox', { name: 'iban', description: 'iban: enter a value' })).toBeDefined();
    expect(screen.queryByText('Account')).toBeNull();
  });

  it('passes a Boolean as the text true or false', async () => {
    renderPage(<Form fields={[fieldOf('urgent', { kind: 'boolean' })]} />);
    await userEvent.click(screen.getByRole('checkbox', { name: 'urgent' }));
    expect(values()).toEqual({ urgent: 'true' });
    await userEvent.click(screen.getByRole('checkbox', { name: 'urgent' }));
    expect(values()).toEqual({ urgent: 'false' });
  });
});

describe('a form field in a language other than the page’s', () => {
  const french = { label: 'Motif', description: 'Raison', lang: 'fr', required: true } as const;
  const langOf = (text: string) => screen.getByText(text).closest('[lang]')?.getAttribute('lang');

  it('marks the provider’s texts with their language, and not the console’s', () => {
    const options = [{ value: 'a', label: 'Achats' }];
    renderPage(
      <FormFields
        form={{ fields: [fieldOf('motif', { ...french, kind: 'choice', options, ownMessage: true, example: 'x' })] }}
        values={{ motif: 'a' }}
        errors={[{ id: 'motif', message: 'Choisissez' }]}
        submitLabel="Send"
        onChange={() => {}}
        onSubmit={() => {}}
        onCancel={() => {}}
      />,
    );
    expect(langOf('Motif')).toBe('fr');
    expect(screen.getAllByText('Choisissez').map((each) => each.closest('[lang]')?.getAttribute('lang'))).toEqual([
      'fr',
      'fr',
    ]);
    expect(screen.getByRole('combobox', { name: 'Motif' }).getAttribute('lang')).toBe('fr');
  });

  it('marks the hint’s text as French, and not the console’s words', () => {
    renderPage(<Form fields={[fieldOf('motif', { ...french, description: 'Raison', example: 'x' })]} />);
    expect(langOf('Raison')).toBe('fr');
    expect(screen.getByText(/for example/).getAttribute('lang')).toBeNull();
  });
});

it('a checkbox shows no example', () => {
  renderPage(<Form fields={[fieldOf('terms', { kind: 'boolean', description: 'Agree', example: 'true' })]} />);
  expect(screen.queryByText(/for example/)).toBeNull();
});

it.each([
  ['ACME', 'ACME', false],
  ['', 'ACME', true],
  ['ACM', 'ACME', true],
])('a field with the value "%s" shows the example "%s": %s (behaviour 10.3.3)', (value, example, shown) => {
  renderPage(<Form fields={[fieldOf('name', { example })]} given={{ name: value }} />);
  expect(screen.queryByText(/for example/) !== null).toBe(shown);
});

describe('a select field', () => {
  const bank = (more: Partial<Field>) => fieldOf('bank', { kind: 'choice', required: true, ...more });
  const box = () => screen.getByRole<HTMLInputElement>('combobox', { name: 'bank' });

  it.each([2, 40])('of %i options is filtered while the user types, with the best match first', async (many) => {
    renderPage(<Form fields={[bank({ options: optionsOf(many) })]} />);
    await userEvent.click(box());
    await userEvent.type(box(), 'bank 1');
    expect(offered()[0]?.textContent).toBe('Bank 1');
    await userEvent.keyboard('{Enter}');
    expect(values()).toEqual({ bank: 'v1' });
    expect([box().value, offered().length]).toEqual(['Bank 1', 0]);
  });

  // A rule that is inserted makes the browser lay out the whole page anew.
  it('inserts no style rule when it takes the focus and opens', async () => {
    renderPage(<Form fields={[bank({ options: optionsOf(2) })]} />);
    const rules = () => document.querySelectorAll('style').length;
    const before = rules();
    await userEvent.click(box());
    expect([offered().length > 0, rules()]).toEqual([true, before]);
  });

  it.each([
    ['with options', 2, 'No results for "x"'],
    ['without options', 0, 'No results for "x"'],
    ['with more options than are shown', 300, 'No results for "x"'],
  ])(
    '%s announces a term without results in a region that is on the page before (behaviour 8.4)',
    async (_, count, said) => {
      renderPage(<Form fields={[bank({ options: optionsOf(count) })]} />);
      await userEvent.tab();
      expect(document.activeElement).toBe(box());
      const region = within(box().parentElement!).getByRole('status');
      expect(region.textContent).toBe('');
      await userEvent.keyboard('x');
      expect(region.isConnected).toBe(true);
      expect(region.textContent).toBe(said);
      await userEvent.keyboard('{Escape}');
      expect(region.isConnected).toBe(true);
      expect(region.textContent).toBe('');
    },
  );

  it('restores its value on Escape, and takes the typed match on Tab', async () => {
    renderPage(<Form fields={[bank({ options: optionsOf(3) })]} />);
    await pick(userEvent, box(), 'Bank 2');
    await userEvent.type(box(), 'Bank 0');
    await userEvent.keyboard('{Escape}');
    expect([box().value, values()]).toEqual(['Bank 2', { bank: 'v2' }]);
    await userEvent.type(box(), 'Bank 0');
    await userEvent.tab();
    expect([box().value, values()]).toEqual(['Bank 0', { bank: 'v0' }]);
  });

  it('opens at its value and is used with arrow keys, and Enter does not submit the form', async () => {
    const send = vi.fn();
    renderPage(<Form fields={[bank({ options: optionsOf(3) })]} onSubmit={send} />);
    await pick(userEvent, box(), 'Bank 1');
    await userEvent.keyboard('{ArrowDown}{ArrowDown}');
    const active = document.getElementById(box().getAttribute('aria-activedescendant') ?? '');
    expect(active?.textContent).toBe('Bank 2');
    await userEvent.keyboard('{Enter}');
    expect([values(), send.mock.calls]).toEqual([{ bank: 'v2' }, []]);
  });

  it('shows a disabled option with the reason', async () => {
    const [one, two] = optionsOf(2);
    renderPage(<Form fields={[bank({ options: [{ ...one!, blocked: 'Out of service' }, two!] })]} />);
    await userEvent.type(box(), 'Bank 0{Enter}');
    expect(screen.getByRole('option', { name: 'Bank 0 Out of service' }).getAttribute('aria-disabled')).toBe('true');
    expect(values()).toEqual({});
  });

  it('of 5,000 options renders 200 and states how to find the others', async () => {
    renderPage(<Form fields={[bank({ options: optionsOf(5000) })]} />);
    await userEvent.click(box());
    expect(offered()).toHaveLength(200);
    screen.getByText('The first 200 of 5001; type to find others');
    await userEvent.type(box(), '4999');
    expect(offered().map(({ textContent }) => textContent)).toEqual(['Bank 4999']);
  });
});

describe('a failure because the user is not signed in', () => {
  it('links to sign-in, which returns to this page', () => {
    window.history.replaceState(null, '', '/settings?guided=true');
    const problem = { type: 'about:blank', title: 'You are not signed in', status: 401, detail: '' };
    renderPage(<FailurePanel problem={{ ...problem, code: 'signed-out' }} />);
    const link = screen.getByRole('link', { name: 'Sign in' });
    expect(link.getAttribute('href')).toBe('/signin?then=%2Fsettings%3Fguided%3Dtrue');
  });
});

describe('data from the service', () => {
  it('is shown, copied and searched with exact numbers', async () => {
    renderPage(<JsonView value={parse('{"id":9007199254740993,"amounts":[120.50,1e3]}')} what="batch" />);
    expect(screen.getByRole('group', { name: 'batch' }).textContent).toMatch(/9007199254740993.*120\.50.*1e3/);
    await userEvent.setup().click(screen.getByRole('button', { name: 'Copy JSON: batch' }));
    expect(await navigator.clipboard.readText()).toBe(
      stringify(parse('{"id":9007199254740993,"amounts":[120.50,1e3]}'), 2),
    );
  });

  it('is shown as text, not markup, in a searchable JSON view (threat 3.24)', async () => {
    const many = Array.from({ length: 50 }, (_, at) => ({ at }));
    const deep = { a: { b: { many, c: { d: 'needle <b>', many } } } };
    renderPage(<JsonView value={deep} what="rules" />);
    expect(screen.queryByText(/needle/)).toBeNull();
    await userEvent.type(screen.getByLabelText('Search in rules'), 'needle');
    expect(screen.getByText('needle')).toBeDefined();
    await userEvent.type(screen.getByLabelText('Search in rules'), 'x y');
    expect(screen.getByText('No results for "needlex y"')).toBeDefined();
  });
});

it('a confirmation dialog closed with Escape does not confirm', () => {
  const [confirm, close] = [vi.fn(), vi.fn()];
  renderPage(
    <ConfirmDialog title="Delete the debtor?" confirmLabel="Delete" onConfirm={confirm} onClose={close}>
      It is deleted at the provider.
    </ConfirmDialog>,
  );
  const dialog = screen.getByRole('alertdialog', { name: 'Delete the debtor?' });
  fireEvent(dialog, new Event('cancel', { cancelable: true }));
  expect(close).toHaveBeenCalledOnce();
  expect(confirm).not.toHaveBeenCalled();
  expect(within(dialog).getByRole('button', { name: 'Delete' })).toBeDefined();
});

it('a dialog focuses its marked control, and restores the focus when it closes', async () => {
  function Opener() {
    const [open, setOpen] = useState(false);
    return (
      <>
        <button onClick={() => setOpen(true)}>Open</button>
        {open && (
          <AlertDialog
            title="Create Company first"
            closeLabel="Close"
            onClose={() => setOpen(false)}
            actions={<button {...initialFocus}>Go to Create Company</button>}
          >
            There is no company yet.
          </AlertDialog>
        )}
      </>
    );
  }
  renderPage(<Opener />);
  const opener = screen.getByRole('button', { name: 'Open' });
  await userEvent.click(opener);
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Go to Create Company' }));
  await userEvent.click(screen.getByRole('button', { name: 'Close' }));
  expect(screen.queryByRole('alertdialog')).toBeNull();
  expect(document.activeElement).toBe(opener);
});

it('a relative time uses the largest unit that fits', () => {
  const now = Date.parse('2026-01-10T12:00:00Z');
  expect(relative(now - 30_000, now)).toBe('30 seconds ago');
  expect(relative(now - 7_200_000, now)).toBe('2 hours ago');
  expect(relative(now + 86_400_000, now)).toBe('tomorrow');
});

it.each([
  ['AwaitingAuthorisation', ['Awaiting', 'Authorisation']],
  ['PaymentFileAvailable', ['Payment', 'File', 'Available']],
  ['PENDING', ['PENDING']],
])('the status %s in a badge breaks between its words (behaviour 10.11.4)', (status, words) => {
  renderPage(<Badge tone="waiting">{status}</Badge>);
  expect(screen.getByText(status).innerHTML.split('<wbr>')).toEqual(words);
});

afterEach(cleanup);

it('an empty state shows the button that fills it, or the reason why there is none (behaviour 10.7.2)', () => {
  render(
    <ChakraProvider value={system}>
      <EmptyState action={<Button>Pay invoices</Button>}>No batches.</EmptyState>
      <EmptyState reason="Choose another country.">No providers.</EmptyState>
    </ChakraProvider>,
  );
  screen.getByRole('button', { name: 'Pay invoices' });
  screen.getByText('No providers. Choose another country.');
});

it('an empty state with neither button nor reason, or with both, does not compile (behaviour 10.7.2)', () => {
  // @ts-expect-error -- neither
  const neither = <EmptyState>Nothing.</EmptyState>;
  const both = (
    // @ts-expect-error -- both
    <EmptyState action={<Button>Pay</Button>} reason="None.">
      Nothing.
    </EmptyState>
  );
  expect([neither, both]).toHaveLength(2);
});

const markup = '<img src=x onerror="alert(1)"><script>alert(1)</script>';

const rule = (jsonPath: string, more: object): Rule => ({
  ruleId: jsonPath,
  validation: {
    apiPath: 'Subscriptions',
    jsonPath,
    optionality: 'Required',
    uiLabel: `${markup} ${jsonPath}`,
    description: markup,
    example: markup,
    errorMessage: markup,
    ...more,
  },
});

describe('markup from the service is shown as text', () => {
  it('in the labels, hints, choices and errors of a provider’s form (threat 3.24)', () => {
    const form = subscriptionForm([
      rule('a', { regex: '(' }),
      rule('b', { enumeration: [{ value: 'v', description: markup }] }),
      rule('c', { fieldType: 'Boolean' }),
    ]);
    const errors = form.fields.map(({ id, errorMessage }) => ({ id, message: errorMessage }));
    const { container } = renderPage(
      <FormFields
        form={form}
        values={{}}
        errors={errors}
        submitLabel="Send"
        onChange={() => {}}
        onSubmit={() => {}}
        onCancel={() => {}}
      />,
    );
    expect(container.querySelector('img, script')).toBeNull();
    expect(container.textContent?.split(markup).length).toBeGreaterThan(9);
  });

  it('in the names and values of JSON, such as translations and webhooks (threat 3.24)', () => {
    const { container } = renderPage(<JsonView value={{ [markup]: [markup, { deep: 'x' }] }} what="answer" />);
    expect(container.querySelector('img, script')).toBeNull();
    expect(container.textContent).toContain('<img src=x');
  });
});

const names = Object.keys(ownForms) as FormName[]; // the keys of the object
const all = names.flatMap((name) => ownForm(name).fields.map((field) => ({ name, field })));
const secrets = all.filter(({ field }) => field.secret);

describe('a field for a secret', () => {
  it.each(secrets)('is no password of the field before it: $field.id of $name', ({ field }) => {
    render(
      <ChakraProvider value={system}>
        <FormField id="a" field={field} value="" error={undefined} onChange={() => undefined} />
      </ChakraProvider>,
    );
    const input = screen.getByLabelText(field.label);
    expect(input.getAttribute('autocomplete')).toBe('new-password');
    expect(input.getAttribute('name')).toBe(field.id);
    expect(input.getAttribute('type')).toBe('password');
  });

  it('is one that is declared to be secret, and no other', () => {
    expect(secrets.map(({ field }) => field.id)).toEqual(['signingKey']);
    expect(names.flatMap((name) => fieldsOf(name)).filter(([id]) => /key|secret|password/i.test(id))).toHaveLength(1);
  });
});

const wrapper = ({ children }: { children: ReactNode }) => <ChakraProvider value={system}>{children}</ChakraProvider>;

const eventsOf = (...ids: string[]): TrailEvent[] => ids.map((id, at) => ({ id, at, what: id, how: '', tone: 'done' }));

/** The texts of the elements that have been moved, in their order. */
function movedElements({ reduced }: { reduced: boolean }): () => string[] {
  const moved: string[] = [];
  const animate = vi.fn(function (this: Element) {
    moved.push(this.querySelector('div + div')?.textContent ?? '');
    return { finished: Promise.resolve(), cancel() {}, commitStyles() {}, finish() {}, play() {} };
  });
  vi.stubGlobal('matchMedia', () => ({ matches: reduced, addEventListener() {}, removeEventListener() {} }));
  Element.prototype.animate = animate as unknown as Element['animate']; // as much as is used
  onTestFinished(() => {
    vi.unstubAllGlobals();
    Reflect.deleteProperty(Element.prototype, 'animate');
  });
  return () => [...new Set(moved)];
}

it('a history slides in the events that happen while it is shown, and no others', () => {
  const moved = movedElements({ reduced: false });
  const { rerender } = render(<Trail label="History" events={eventsOf('Accepted')} />, { wrapper });
  expect(moved()).toEqual([]);
  rerender(<Trail label="History" events={eventsOf('Accepted', 'Processing')} />);
  expect(moved()).toEqual(['Processing']);
  rerender(<Trail label="History" events={eventsOf('Accepted', 'Processing', 'Completed')} />);
  expect(moved()).toEqual(['Processing', 'Completed']);
});

it('a history moves nothing for a user who prefers reduced motion', () => {
  const moved = movedElements({ reduced: true });
  const { rerender } = render(<Trail label="History" events={eventsOf('Accepted')} />, { wrapper });
  rerender(<Trail label="History" events={eventsOf('Accepted', 'Completed')} />);
  expect(moved()).toEqual([]);
});
