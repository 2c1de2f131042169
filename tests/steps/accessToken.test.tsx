// @vitest-environment jsdom
import { cleanup, screen } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { secretIsSet } from '#contract/secrets.ts';
import { accessTokenMachine } from '#machines/onboarding/accessToken.machine.ts';
import { AccessTokenStep } from '#steps/onboarding/AccessTokenStep.tsx';
import { everything } from '#tests/support/facts.ts';
import { drawn } from './drawn.tsx';

afterEach(cleanup);

const expiresAt = '2126-11-20T10:00:00.000Z';
const issuedAt = '2026-11-20T10:00:00.000Z';
const masked = { token: secretIsSet, issuedAt, expiresAt, companyId: 'company-1', organisationId: 'organisation-1' };
const secret = 'header.payload.signature';

async function open() {
  const step = drawn(accessTokenMachine, AccessTokenStep, { input: { facts: { ...everything, environment: 'live' } } });
  await step.answer('obtainToken', masked);
  return step;
}

describe('the access token of a live service', () => {
  it('is masked when it is obtained, and cannot be copied', async () => {
    await open();
    expect(screen.getByText(secretIsSet)).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Copy the access token' })).toBeNull();
  });

  it('says when it expires and for whom it was made', async () => {
    await open();
    expect(screen.getByRole('heading', { name: /^Expires 20 Nov 2126/ })).toBeTruthy();
    expect(screen.getByRole('img', { name: /^Expires at .* minutes left$/ })).toBeTruthy();
    expect(screen.getByText('company-1')).toBeTruthy();
    expect(screen.getByText('organisation-1')).toBeTruthy();
  });
});

it('the access token of the sandbox is shown at once, and can be copied (behaviour 2.17)', async () => {
  const step = drawn(accessTokenMachine, AccessTokenStep);
  await step.answer('obtainToken', { ...masked, token: secret });
  expect(screen.getByText(secret)).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Copy the access token' })).toBeTruthy();
  for (const name of ['Reveal', 'Hide']) expect(screen.queryByRole('button', { name })).toBeNull();
  expect(screen.queryByText('Masked')).toBeNull();
});
