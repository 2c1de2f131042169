// By its path: Bombadil knows no aliases.
import { alerts } from '../../src/contract/alerts.ts';

/** A batch, with the status that the screen gives it. */
interface ShownBatch {
  batchId: string;
  status: string;
}

/** What a page of the console shows, as far as the properties speak of it. */
export interface Shown {
  /** The number of headings of level 1. */
  headings: number;
  /** By how many CSS px the page is wider than its window. */
  tooWide: number;
  busy: boolean;
  /** The values of the status bar by label; null until the page knows them. */
  bar: Record<string, string> | null;
  /** The organisation and the number of debtors on the home page; '' where it shows none. */
  workspace: { organisationId: string; debtors: string } | null;
  /** The status of the current subscription in the list; '' if the page does not show it. */
  subscriptionStatus: string;
  /** The gate on the page: its title, the paths that it links to, and the number of its other ways. */
  gate: { title: string; ways: string[]; others: number } | null;
  batches: ShownBatch[];
  /** The invoices that are listed as paid, with their batches. */
  paid: { invoiceId: string; batchId: string }[];
}

const textOf = (element: Element | null | undefined): string => (element?.textContent ?? '').trim();

/** The text of a status, without its mark. */
function statusIn(cell: Element | null | undefined): string {
  const mark = cell?.querySelector('[aria-hidden=true]');
  return textOf(mark?.parentElement).replace(textOf(mark), '').trim();
}

/** The rows of all lists: their cells by column. */
const rowsOf = (document: Document): Map<string, Element>[] =>
  [...document.querySelectorAll('main tr[role=row]')].map(
    (row) =>
      new Map([...row.querySelectorAll('[data-title]')].map((cell) => [cell.getAttribute('data-title') ?? '', cell])),
  );

function barOf(document: Document): Shown['bar'] {
  const items = [...document.querySelectorAll('footer[aria-label=Status] button[title]')].map(
    (item): [string, string] => {
      const title = item.getAttribute('title') ?? '';
      return [textOf(item).split(':')[0] ?? '', /^(unknown|none$)/.test(title) ? '' : title];
    },
  );
  const bar = Object.fromEntries(items);
  return bar['PR Ctry'] || bar['FF Ctry'] ? bar : null;
}

/** The values of the home page's workspace by label. */
const workspaceOf = (document: Document): Map<string, Element | null> =>
  new Map(
    [...document.querySelectorAll('[aria-labelledby=workspace] dt')].map((term) => [
      textOf(term),
      term.nextElementSibling,
    ]),
  );

const gates: readonly string[] = Object.values(alerts);

function gateOf(document: Document): Shown['gate'] {
  const dialog = document.querySelector('[role=alertdialog]');
  const title = textOf(dialog?.querySelector('h2'));
  // Others ask a question.
  if (!dialog || !gates.includes(title)) return null;
  const ways = [...dialog.querySelectorAll('a[href]')].map(
    (way) => (way.getAttribute('href') ?? '').split('?')[0] ?? '',
  );
  return { title, ways, others: dialog.querySelectorAll('button').length - 1 };
}

const titleIn = (element: Element | null | undefined): string =>
  element?.querySelector('code[title]')?.getAttribute('title') ?? '';

/** The batches that a page names together with a status. */
function batchesOf(document: Document, rows: readonly Map<string, Element>[]): ShownBatch[] {
  const linked = (link: Element | null | undefined) =>
    new URLSearchParams(link?.getAttribute('href')?.split('?')[1]).get('batchId');
  const listed = rows.map((row) => ({
    batchId: linked(row.get('BatchId')?.querySelector('a')),
    status: statusIn(row.get('Status')),
  }));
  const last = [...document.querySelectorAll('main a')].find((link) => textOf(link) === 'View its payments');
  const one = document.querySelector('main [role=status][aria-label=Status]');
  const id = textOf(one?.closest('div')?.parentElement?.querySelector('code'));
  return [
    ...listed,
    { batchId: linked(last), status: statusIn(last?.closest('div')) },
    { batchId: id, status: statusIn(one) },
  ].flatMap(({ batchId, status }) => (batchId && status ? { batchId, status } : []));
}

/** What the console's page in a document shows. */
export function shownIn(document: Document): Shown {
  const { documentElement } = document;
  const rows = rowsOf(document);
  const workspace = workspaceOf(document);
  const current = rows.find((row) => /Current/.test(textOf(row.get('SubscriptionId'))));
  return {
    headings: document.querySelectorAll('h1').length,
    tooWide: Math.max(0, documentElement.scrollWidth - documentElement.clientWidth),
    busy: document.querySelector('main [aria-busy=true]') !== null,
    bar: barOf(document),
    workspace:
      workspace.size === 0
        ? null
        : { organisationId: titleIn(workspace.get('Organisation')), debtors: textOf(workspace.get('Bank accounts')) },
    subscriptionStatus: statusIn(current?.get('Status')),
    gate: gateOf(document),
    batches: batchesOf(document, rows),
    paid: rows.flatMap((row) => {
      const title = row.get('Paid')?.querySelector('[title]')?.getAttribute('title') ?? '';
      const [, batchId] = /^Paid in batch (\S+)/.exec(title) ?? [];
      return batchId ? { invoiceId: textOf(row.get('Invoice')?.querySelector('code')), batchId } : [];
    }),
  };
}

/** What is typed into the forms of a page, by field; without what a user has left empty, and without secrets. */
export const typedIn = (document: Document): Record<string, string> =>
  Object.fromEntries(
    [
      ...document.querySelectorAll<HTMLInputElement>(
        'main:has(~ * #step-bar) form [data-field] :is(input[type=text], textarea)',
      ),
    ]
      .filter((input) => input.value !== '' && input.getAttribute('role') !== 'combobox')
      .map((input) => [input.closest('[data-field]')?.getAttribute('data-field') ?? '', input.value]),
  );

/** The fields of the forms of a page. */
export const fieldsIn = (document: Document): string[] =>
  [...document.querySelectorAll('main form [data-field]')].map((field) => field.getAttribute('data-field') ?? '');
