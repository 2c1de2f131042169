import type { Page } from 'playwright-core';
import type { BatchRecord } from '../../src/contract/batch.ts';
import type { Facts } from '../../src/contract/facts.ts';
import type { Provider, Rule } from '../../src/contract/lookup.ts';

/** What the service and the console would have to hold for years, put into their answers on the way to the page. */

const batches = 10_000;
const fields = 1000;

const statuses = ['Booked', 'Pending', 'Rejected', 'InProgress'];
const records: BatchRecord[] = Array.from({ length: batches }, (_, index) => ({
  batchId: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
  status: statuses[index % statuses.length] ?? '',
  amount: `${index}.50 GBP`,
  kind: index % 2 === 0 ? 'electronic' : 'file',
  postedAt: new Date(Date.UTC(2026, 0, 1) + index * 60_000).toISOString(),
}));

const rules: Rule[] = Array.from({ length: fields }, (_, index) => ({
  ruleId: `many-${index}`,
  validation: {
    apiPath: 'Subscriptions',
    jsonPath: `additionalData.many${index}`,
    optionality: 'Required',
    uiLabel: `Field ${index}`,
    description: 'Up to 35 letters and digits',
    example: `value${index}`,
    regex: '^[A-Za-z0-9 .-]{1,35}$',
    errorMessage: `Field ${index}: up to 35 letters and digits`,
  },
}));

/** Gives the page 10,000 batches, and to each provider 1,000 rules more. */
export async function crowd(page: Page): Promise<void> {
  const change = (path: string | RegExp, apply: (answer: never) => void) =>
    page.route(path, async (route) => {
      const response = await route.fetch();
      const json = (await response.json()) as never; // the contract's shape, as `apply` expects
      apply(json);
      await route.fulfill({ response, json });
    });
  const posted = JSON.stringify(records);
  await change('**/api/getbatchpayments', (answer: { data: string }) => (answer.data = posted));
  await change('**/api/facts', ({ settings }: Facts) => (settings.postedBatches = posted));
  await change(/\/api\/providers(\?|$)/, ({ data }: { data: Provider[] }) => {
    for (const { accountType } of data) accountType.validationRules.push(...rules);
  });
}
