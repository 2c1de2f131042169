import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { partyForm } from '#rules/field.ts';
import type { JsonObject } from '#contract/json.ts';
import { nested } from '#rules/payload.ts';
import { eventually } from '#tests/support/eventually.ts';
import { consoleWithSandbox } from '#tests/support/console.ts';
import { examples, onboard, subscribe } from '#tests/support/guidedPath.ts';

/** A console with its sandbox, subscribed, and the put of a creditor that has to be authorised. */
async function asked() {
  const console = await consoleWithSandbox();
  await onboard(console);
  const { rules, subscriptionId } = await subscribe(console);
  const form = partyForm(rules, 'Creditors');
  const creditorId = randomUUID();
  const body = nested(form, examples(form));
  const creditor = { ...(body['creditor'] as JsonObject), name: 'Please authorise' }; // an object by the rules
  const data = { ...body, creditor, creditorId, subscriptionId };
  const { messageId } = await console.done('putCreditor', { body: { data } });
  const message = async () => (await console.done('getMessage', { params: { resourceId: messageId } })).data;
  const link = await eventually(async () => {
    const told = await message();
    expect(told).toMatchObject({ state: 'waiting', status: 'AwaitingAuthorisation', followed: true });
    return told.authorise;
  });
  const names = async () => (await console.done('getCreditors')).data.map(({ creditorname }) => creditorname);
  return { message, link, names };
}

it.each([
  ['approve', 'accepted', 'Authorised'],
  ['reject', 'refused', 'Rejected'],
  ['cancel', 'refused', 'Cancelled'],
  ['expire', 'refused', 'Expired'],
])(
  'A creditor that needs authorisation is created only after approval; decision: %s',
  async (decision, state, status) => {
    const { message, link, names } = await asked();
    expect(await names()).not.toContain('Please authorise');
    expect(await (await fetch(link)).text()).toContain('the creditor Please authorise');
    await fetch(link, { method: 'POST', body: new URLSearchParams({ decision }) });
    await eventually(async () => expect(await message()).toMatchObject({ state, status, authorise: '' }));
    expect((await names()).includes('Please authorise')).toBe(state === 'accepted');
    // A decision is final.
    await fetch(link, { method: 'POST', body: new URLSearchParams({ decision: 'approve' }) });
    expect(await message()).toMatchObject({ state, status });
  },
);
