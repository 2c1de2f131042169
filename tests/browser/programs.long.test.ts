import { describe, expect, it } from 'vitest';
import { header } from '#server/upstream/wire.ts';
import { sandboxCredentials as credentials } from '#tests/support/sandboxCredentials.ts';
import { press } from './guidedSteps.ts';
import { faultsOf } from './screen.ts';
import { sharedConsole } from './shared.ts';

const { visiting } = sharedConsole(() => Promise.resolve());

describe('a program of one’s own', () => {
  it('calls with a token that the page makes, is seen in the timeline, and refused once the token is revoked (behaviour 7.14, 7.15)', async () => {
    const { page } = visiting();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto('/');
    await press(page, 'Tools');
    await page.getByRole('link', { name: 'Your app' }).click();
    await page.getByRole('textbox', { name: 'Name of the program' }).fill('Nightly');
    await press(page, 'Create token');
    await page.getByText('Token of Nightly created.').waitFor();
    const copied = async (what: string) => {
      await press(page, `Copy ${what}`);
      return page.evaluate(() => navigator.clipboard.readText());
    };
    const [token, base] = [await copied('the token'), await copied('the base URL')];
    expect(await copied('the example')).toContain(`${base}/v3/providers?country=GB`);
    expect(await faultsOf(page)).toEqual([]);

    const call = (key: string) =>
      fetch(`${base}/v3/providers?country=GB`, {
        headers: { 'x-console-token': token, [header.application]: credentials.applicationId, [header.apiKey]: key },
      });
    expect((await call(credentials.apiKey)).status).toBe(200);
    expect((await call('wrong')).status).toBe(401);
    await page.getByRole('cell', { name: 'never' }).waitFor({ state: 'detached' });

    const other = await page.context().newPage();
    await other.goto('/timeline?show=programs');
    await other.getByText('401').first().click();
    await other.getByText('Your program: Nightly').waitFor();
    await other.getByText('Header x-api-key: missing or unknown API key').first().waitFor();
    expect(await other.content()).not.toContain(token.slice(9));
    await other.close();

    await press(page, 'Revoke the token of Nightly …');
    await press(page, 'Revoke the token');
    await page.getByRole('button', { name: 'Revoke the token of Nightly …' }).waitFor({ state: 'detached' });
    expect(await page.content()).not.toContain(token.slice(9));
    const refused = await call(credentials.apiKey);
    expect([refused.status, await refused.json()]).toMatchObject([
      401,
      { detail: expect.stringContaining('revoked') as string },
    ]);
  });
});
