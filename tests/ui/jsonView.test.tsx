import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import { parse, parseAsWritten } from '#contract/json.ts';
import { hitsIn, linesOf, pointerOf, valueAt } from '#ui/json/lines.ts';
import { JsonView } from '#ui/JsonView.tsx';
import { renderPage } from '#tests/support/page.tsx';

const none = new Map<string, boolean>();
const payments = Array.from({ length: 10 }, (_, at) => ({
  reference: `INV-${at}`,
  amount: { amount: '10.00', currency: 'GBP', purpose: 'Suppliers' },
}));
const batch = { data: { batchId: 'b-1', status: 'Completed', payments }, error: null };

/** The tree's lines as they are read, each with its depth. */
const drawn = () =>
  within(screen.getByRole('tree'))
    .getAllByRole('treeitem')
    .map((line) => line.textContent?.trim().replaceAll(' ', ' '));

describe('the lines of a JSON view', () => {
  it('equal the output of JSON.stringify if nothing is folded', () => {
    const value = { a: [1, 'two', { three: true, '': null }], 'b/~c': {}, d: [] };
    const text = linesOf(value, none)
      .map(({ depth, name, text: own, comma }) =>
        [' '.repeat(2 * depth), name === undefined ? '' : `${JSON.stringify(name)}: `, own, comma ? ',' : ''].join(''),
      )
      .join('\n');
    expect(text).toBe(JSON.stringify(value, null, 2));
  });

  it('fold long branches at first, and show them when they are opened', () => {
    expect(linesOf(batch, none).find(({ name }) => name === 'payments')).toMatchObject({ open: false, entries: 10 });
    const opened = linesOf(batch, new Map([['/data/payments', true]]));
    expect(opened.filter(({ name }) => name === 'reference')).toHaveLength(10);
  });

  it('keep numbers as they were received', () => {
    expect(linesOf(parse('[9007199254740993,1e3]'), none).map(({ text, kind }) => [text, kind])).toEqual([
      ['[', 'branch'],
      ['9007199254740993', 'number'],
      ['1e3', 'number'],
      [']', 'end'],
    ]);
  });

  it('give duplicate members distinct pointers for search and copying', () => {
    const written = parseAsWritten('{"a":1,"b":{"a":2},"a":3,"a":[4]}');
    const lines = linesOf(written, none).filter(({ name }) => name === 'a');
    expect(lines.map(({ pointer }) => valueAt(written, pointer))).toEqual([1, 2, 3, [4]]);
    expect(hitsIn(written, '3', 9)).toEqual(['/a #2']);
  });

  it('escape characters that could hide or reorder text, in values and names', () => {
    const odd = linesOf(parseAsWritten(String.raw`{"a\u202e\"":"\u0007\u202d"}`), none)[1];
    expect(odd).toMatchObject({ name: String.raw`a\u202e\"`, text: String.raw`"\u0007\u202d"` });
  });

  it('label a folded object with its name, its id or the number of its members', () => {
    const folded = new Map(['/0', '/1', '/2'].map((pointer) => [pointer, false]));
    const items = [{ providerId: 'p-1', name: 'Larkfield' }, { amount: 1, batchId: 'b-1' }, { amount: 1 }];
    const lines = linesOf(items, folded).filter(({ open }) => open === false);
    expect(lines.map(({ title, entries }) => title ?? entries)).toEqual(['Larkfield', 'b-1', 1]);
  });

  it('expand JSON within a string, mark it, and copy it as the string that is sent (behaviour 10.16.13)', () => {
    const sent = { additionalData: '{"bureau":{"sun":"654321"}}', note: '{ no JSON' };
    const lines = linesOf(sent, none);
    expect(lines.map(({ name, text, onWire = false }) => [name, text, onWire])).toEqual([
      [undefined, '{', false],
      ['additionalData', '{', true],
      ['bureau', '{', false],
      ['sun', '"654321"', false],
      [undefined, '}', false],
      [undefined, '}', false],
      ['note', '"{ no JSON"', false],
      [undefined, '}', false],
    ]);
    expect(valueAt(sent, '/additionalData')).toBe(sent.additionalData);
    expect(valueAt(sent, '/additionalData/bureau/sun')).toBe('654321');
    expect(hitsIn(sent, '654321', 9)).toEqual(['/additionalData/bureau/sun']);
  });

  it('are found by name and value, also in folded branches, and by a rule’s path', () => {
    expect(hitsIn(batch, 'inv-3', 100)).toEqual(['/data/payments/3/reference']);
    expect(hitsIn(batch, 'batchid', 100)).toEqual(['/data/batchId']);
    expect(valueAt(batch, pointerOf('data.payments.3.reference'))).toBe('INV-3');
    expect(hitsIn({ 'a/b': { '~': 'x' } }, 'x', 9)).toEqual(['/a~1b/~0']);
  });
});

describe('a JSON view', () => {
  it('is one tab stop, whose keys move, fold, open and select what is copied', async () => {
    const user = userEvent.setup();
    renderPage(<JsonView value={{ a: { b: 'one', c: 2 }, d: 3 }} what="answer" />);
    screen.getByRole('tree').focus();
    expect(drawn()).toEqual(['▾{', '▾"a": {', '"b": "one",', '"c": 2', '"d": 3']);
    await user.keyboard('{ArrowDown}{ArrowLeft}');
    expect(drawn()).toEqual(['▾{', '▸"a": { 2 },', '"d": 3']);
    expect(screen.getByRole('treeitem', { name: /"a"/ }).getAttribute('aria-expanded')).toBe('false');
    await user.click(screen.getByRole('button', { name: 'Copy part: a' }));
    expect(JSON.parse(await navigator.clipboard.readText())).toEqual({ b: 'one', c: 2 });
    screen.getByRole('tree').focus();
    await user.keyboard('{Enter}{ArrowDown}');
    await user.click(screen.getByRole('button', { name: 'Copy part: a.b' }));
    expect(await navigator.clipboard.readText()).toBe('one');
  });

  it('highlights the line of a path, or the folded branch that contains it', () => {
    const lit = (path: string) => {
      const { container } = renderPage(<JsonView value={batch} what="answer" lit={path} />);
      return [...container.querySelectorAll('[data-lit]')].map((line) => line.textContent?.trim());
    };
    expect(lit('data.status')).toEqual(['"status": "Completed",']);
    expect(lit('data.payments.3.reference')).toEqual(['▸"payments": [ 10 ]']);
    expect(lit('data.nowhere')).toEqual([]);
  });

  it('moves through the search results and wraps around', async () => {
    const user = userEvent.setup();
    renderPage(<JsonView value={batch} what="answer" />);
    await user.type(screen.getByRole('searchbox', { name: 'Search in answer' }), 'inv-');
    const view = within(screen.getByRole('group', { name: 'answer' }));
    expect(view.getByRole('status').textContent).toBe('1 of 10');
    expect(screen.getByText('INV-', { selector: '[data-lit] mark' })).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Previous result' }));
    expect(view.getByRole('status').textContent).toBe('10 of 10');
    expect(document.querySelector('[data-lit]')?.textContent).toContain('INV-9');
  });

  it('renders few of ten thousand lines, and truncates long strings (behaviour 10.16.14)', async () => {
    // jsdom has no layout.
    vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(560);
    const many = Array.from({ length: 10_000 }, (_, at) => at);
    renderPage(<JsonView value={many} what="answer" />);
    const lines = (await screen.findAllByRole('treeitem')).length;
    expect(lines).toBeGreaterThan(20);
    expect(lines).toBeLessThan(200);
    expect(linesOf(many, none)).toHaveLength(10_002);
    renderPage(<JsonView value={['x'.repeat(5000)]} what="logo" />);
    expect(within(screen.getByRole('group', { name: 'logo' })).getByText(/3002 more characters/)).toBeDefined();
  });
});
