// @vitest-environment jsdom
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Facts } from '#contract/facts.ts';
import { CompanyMenu } from '#app/frame/CompanyMenu.tsx';
import { rehearsalName } from '#rules/rehearsal.ts';
import { everything, factsAfter, withFacts } from '#tests/support/facts.ts';
import { failure } from '#tests/support/fixtures.ts';
import { requests, server } from '#tests/support/fakeCalls.ts';
import { renderPage } from '#tests/support/page.tsx';

vi.mock('#app/client/client.ts', async () => ({ call: (await import('#tests/support/fakeCalls.ts')).call }));

const company = (companyKey: string, companyName: string) => ({ companyKey, organisationId: `organisation-${companyKey}`, companyId: `company-${companyKey}`, companyName, hasPreviousKey: false }); // prettier-ignore
const companies = [company('1', 'Applewick Trading'), company('2', 'Second & Co'), company('3', rehearsalName)];
const facts = (companyKey: string): Facts => withFacts(everything, { companyKey, companies });
const menu = (of: Facts) => renderPage(<CompanyMenu />, { load: () => Promise.resolve(of) });

beforeEach(() => {
  server.made.length = 0;
  server.answers = {};
});

describe('the company in the bar of every page', () => {
  it('is absent before there is an organisation', async () => {
    menu(factsAfter('settings'));
    await screen.findByLabelText('address');
    expect(screen.queryByRole('button')).toBeNull();
  });

  it('is named, offers the others but no company of a rehearsal, and switches (behaviour 10.16.28)', async () => {
    server.answers = { setSetting: () => ({}) };
    menu(facts('1'));
    await userEvent.click(await screen.findByRole('button', { name: 'Company: Applewick Trading' }));
    expect(screen.queryByRole('button', { name: new RegExp(`^${rehearsalName}`) })).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: /^Second & Co/ }));
    expect(JSON.stringify(requests('setSetting'))).toContain('company-2');
  });

  it('says why a switch has failed, and stays open', async () => {
    // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- calls reject with problems
    server.answers = { setSetting: () => Promise.reject(failure) };
    menu(facts('1'));
    await userEvent.click(await screen.findByRole('button', { name: 'Company: Applewick Trading' }));
    await userEvent.click(screen.getByRole('button', { name: /^Second & Co/ }));
    expect((await screen.findByRole('alert')).textContent).toBe(failure.title);
  });

  it('of a rehearsal looks unlike a company of one’s own', async () => {
    menu(facts('3'));
    expect((await screen.findByRole('button', { name: `Company: ${rehearsalName}` })).textContent).toContain('●');
  });
});
