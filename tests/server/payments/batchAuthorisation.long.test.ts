import { expect, it } from 'vitest';
import { partyForm, paymentForm } from '#rules/field.ts';
import type { JsonObject } from '#contract/json.ts';
import { nested } from '#rules/payload.ts';
import { eventually } from '#tests/support/eventually.ts';
import { consoleWithSandbox } from '#tests/support/console.ts';
import { batchIn, examples, onboard, pay, subscribe } from '#tests/support/guidedPath.ts';

/** A batch for a creditor whose name makes the sandbox require an approval. */
async function asked() {
  const console = await consoleWithSandbox();
  await onboard(console);
  const { rules, subscriptionId, creditorId } = await subscribe(console);
  const form = partyForm(rules, 'Creditors');
  const body = nested(form, examples(form));
  const creditor = { ...(body['creditor'] as JsonObject), name: 'Needs approval' }; // an object by the rules
  await console.done('putCreditor', { body: { data: { ...body, creditor, subscriptionId, creditorId } } });
  await eventually(async () => {
    const { data } = await console.done('getCreditors');
    expect(data.map(({ creditorname }) => creditorname)).toEqual(['Needs approval']);
  });
  const batchId = await pay(console, subscriptionId, paymentForm(rules));
  return { console, batchId };
}

it.each([
  ['approve', 'Completed'],
  ['reject', 'Rejected'],
  ['cancel', 'Cancelled'],
])(
  'A batch awaiting authorisation offers its link until it is decided: %s (behaviour 4.29; wire 5.4.2)',
  async (decision, status) => {
    const { console, batchId } = await asked();
    const { followed, links } = await batchIn(console, 'AwaitingAuthorisation', batchId);
    expect(followed).toBe(true);
    const link = links!.authorise!;
    expect(await (await fetch(link)).text()).toContain('a batch of');
    await fetch(link, { method: 'POST', body: new URLSearchParams({ decision }) });
    const decided = await batchIn(console, status, batchId);
    expect(decided.links?.authorise).toBeUndefined();
    expect(decided.followed).toBe(false);
  },
);
