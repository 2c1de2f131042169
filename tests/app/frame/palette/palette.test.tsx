import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { Shell } from '#app/frame/Shell.tsx';
import { renderPage } from '#tests/support/page.tsx';

const open = async () => {
  const user = userEvent.setup();
  renderPage(<Shell>{null}</Shell>);
  await user.click(await screen.findByRole('button', { name: /^Go to/ }));
  return user;
};

// The first test of the file loads the palette's code, the second one finds it loaded.
describe('the palette', () => {
  it.each(['its code arrives after the dialog', 'its code is loaded already'])(
    'has the focus in its field and returns it to its button, if %s (behaviour 10.10.1)',
    async () => {
      const user = await open();
      const field = await screen.findByPlaceholderText('Journey, record or action');
      await waitFor(() => expect(document.activeElement).toBe(field));
      await user.keyboard('{Escape}');
      // jsdom's dialogs do not close on Escape.
      field.closest('dialog')?.dispatchEvent(new Event('cancel', { cancelable: true }));
      await waitFor(() => expect(screen.queryByPlaceholderText('Journey, record or action')).toBeNull());
      expect(document.activeElement).toBe(screen.getByRole('button', { name: /^Go to/ }));
    },
  );

  it('finds a page by its title and a step by its group, once its code has arrived (behaviour 10.10.2)', async () => {
    const user = await open();
    await user.type(await screen.findByPlaceholderText('Journey, record or action'), 'timel');
    expect((await screen.findAllByRole('option')).map(({ textContent }) => textContent)).toContain('Timeline');
  });

  it.each([
    ['pay', /^(Electronic|File) Payments/],
    ['curl', /^Timeline/],
    ['dark', /^Use dark colours/],
    ['theme', /^Use dark colours/],
    ['bacs', /^Bank Files/],
    ['magic', /^Magic values/],
  ])('chooses for “%s” what is meant (behaviour 10.10.2)', async (search, title) => {
    const user = await open();
    await user.type(await screen.findByPlaceholderText('Journey, record or action'), search);
    await waitFor(() => expect(screen.getByRole('option', { selected: true }).textContent).toMatch(title));
  });

  it('lists what was chosen last first, and finds an id in the timeline (behaviour 10.10.2, 10.10.7)', async () => {
    const user = await open();
    await user.type(await screen.findByPlaceholderText('Journey, record or action'), 'dark');
    await user.keyboard('{Enter}');
    await user.clear(screen.getByPlaceholderText('Journey, record or action'));
    expect(await screen.findByText('Recent')).toBeDefined();
    expect(screen.getAllByRole('option')[0]?.textContent).toMatch(/^Use (light|dark) colours/);
    await user.type(screen.getByPlaceholderText('Journey, record or action'), 'msg_8f2c11d0a7');
    await user.click(await screen.findByRole('option', { name: /^Find .* in the timeline/ }));
    expect(screen.getByLabelText('address').textContent).toBe('/timeline?show=all&reads=true&find=msg_8f2c11d0a7');
  });

  it('shows the keys for “?”, which is typed into fields (behaviour 10.10.7)', async () => {
    const user = userEvent.setup();
    renderPage(
      <Shell>
        <input aria-label="Note" />
      </Shell>,
    );
    await user.type(await screen.findByLabelText('Note'), '?');
    expect(screen.queryByPlaceholderText('Journey, record or action')).toBeNull();
    (document.activeElement as HTMLElement).blur();
    await user.keyboard('?');
    expect(await screen.findByText('Press the primary button of the page')).toBeDefined();
  });
});
