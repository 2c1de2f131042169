import { readFileSync } from 'node:fs';
import { expect, describe, it } from 'vitest';
import { alerts } from '#contract/alerts.ts';
import { closedWays, contradictions, isKnown, lostFrom, wrongAt, wronglyPaid } from '../../tools/explore/judged.ts';
import { plants } from '../../tools/explore/plants.ts';
import { properties } from '../../tools/explore/properties.ts';
import { fieldsIn, shownIn, typedIn } from '../../tools/explore/shown.ts';
import type { Held, Truth } from '../../tools/explore/truth.ts';

const truth: Truth = {
  facts: {
    bar: { Provider: 'Larkfield', 'PR Ctry': 'GB' },
    organisationId: 'o1',
    debtors: 2,
    subscriptionStatus: 'Authorised',
  },
  met: [],
  open: ['/createorganisation'],
  batches: { b1: 'Completed' },
  twice: [],
};

/** The parts of a console page that are checked. */
function pageOf({ status = 'Completed', way = '/createorganisation?then=%2F', organisation = 'o1', name = 'Ash Ltd' }) {
  const html = `
    <main>
      <h1>Page</h1>
      <form><div data-field="name"><input type="text" value="${name}"></div></form>
      <section aria-labelledby="workspace"><dl>
        <dt>Organisation</dt><dd><code title="${organisation}">o1</code></dd>
        <dt>Bank accounts</dt><dd>2 debtors</dd>
        <dt>Last batch</dt><dd><code title="b1">b1</code></dd>
      </dl></section>
      <div><span>9.00 GBP</span> <span><span aria-hidden="true">✓</span><span>${status}</span></span>
        <span>posted <a href="/getbatch?batchId=b1">View its payments</a></span></div>
      <table><tr role="row">
        <td data-title="Invoice"><code>INV-1</code></td>
        <td data-title="Paid"><span title="Paid in batch b1 on 1 May">Paid</span></td>
      </tr></table>
      <dialog role="alertdialog"><h2>${alerts.noOrganisation}</h2>
        <button>Close</button><a href="${way}">Go to it</a></dialog>
    </main>
    <div><div id="step-bar"></div></div>
    <footer aria-label="Status"><button title="Larkfield">Provider: <b>L</b></button><button title="GB">PR Ctry: <b>GB</b></button></footer>`;
  return new DOMParser().parseFromString(html, 'text/html');
}

const shown = (change: Parameters<typeof pageOf>[0] = {}) => shownIn(pageOf(change));

describe('the explorer’s check of a page', () => {
  it('reports nothing for a page that matches the service', () => {
    const page = shown();
    expect([...wronglyPaid(page, truth), ...closedWays(page, truth), ...contradictions(page, truth)]).toEqual([]);
    expect(page).toMatchObject({
      headings: 1,
      batches: [{ batchId: 'b1', status: 'Completed' }],
      paid: [{ invoiceId: 'INV-1', batchId: 'b1' }],
      gate: { title: alerts.noOrganisation, ways: ['/createorganisation'] },
    });
  });

  it('reports a payment shown as paid that the service lacks or has in another status', () => {
    expect(wronglyPaid(shown(), { ...truth, batches: {} })).toEqual([
      'batch b1 is shown as Completed, and is not at the service',
      'invoice INV-1 is shown as paid in batch b1, which is not at the service',
    ]);
    expect(wronglyPaid(shown({ status: 'Failed' }), truth)).toEqual(['batch b1 is shown as Failed, and is Completed']);
    expect(wronglyPaid(shown({ status: 'Processing' }), truth)).toEqual([]);
    expect(wronglyPaid(shown(), { ...truth, twice: ['INV-1'] })).toHaveLength(1);
  });

  it('reports a gate whose link leads to a closed page', () => {
    expect(closedWays(shown({ way: '/createcompany' }), truth)).toEqual([
      `the gate “${alerts.noOrganisation}” leads to /createcompany, which is closed`,
    ]);
  });

  it('reports texts that contradict the facts', () => {
    expect(contradictions(shown({ organisation: 'o2' }), truth)).toEqual([
      'the organisation is shown as “o2”, and is “o1”',
    ]);
    expect(contradictions(shown(), { ...truth, met: [alerts.noOrganisation] })).toHaveLength(1);
    const { facts } = truth;
    expect(
      contradictions(shown(), { ...truth, facts: { ...facts, bar: { Provider: 'Marrowby', 'PR Ctry': 'GB' } } }),
    ).toEqual(['Provider is shown as “Larkfield”, and is “Marrowby”']);
  });

  it('reports typed text that disappeared from a field still shown', () => {
    const [before, after] = [pageOf({}), pageOf({ name: '' })];
    expect(lostFrom(typedIn(before), typedIn(after), fieldsIn(after))).toEqual(['name had “Ash Ltd”, and has “”']);
    expect(lostFrom(typedIn(before), {}, [])).toEqual([]);
  });

  it('tolerates what was true shortly before, and waits for a known state', () => {
    const other = { ...truth, batches: { b1: 'Processing' } };
    const history: Held[] = [
      { from: 0, to: 50_000, truth },
      { from: 50_500, to: 70_000, truth: other },
    ];
    const found = (at: number) => wrongAt(at, history, (so) => wronglyPaid(shown(), so));
    expect([found(55_000), found(61_000)]).toEqual([[], ['batch b1 is shown as Completed, and is Processing']]);
    expect([isKnown(67_000, history), isKnown(69_000, history)]).toEqual([true, false]);
  });
});

describe('the explorer’s properties', () => {
  const specification = readFileSync('tools/explore/specification.ts', 'utf8');
  it.each(properties)('%s is in the specification and in the README', (property) => {
    expect(specification).toMatch(new RegExp(`export const ${property} =|^  ${property},$`, 'm'));
    expect(readFileSync('tools/explore/README.md', 'utf8')).toContain(`\`${property}\``);
  });

  it('are each violated by a fault that the self-test plants', () => {
    const planted = new Set(Object.values(plants).map(({ property }) => property));
    expect(properties.filter((property) => !planted.has(property))).toEqual([]);
  });
});
