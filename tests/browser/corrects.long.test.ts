import { expect, it } from 'vitest';
import { paymentForm } from '#rules/field.ts';
import { eventually } from '#tests/support/eventually.ts';
import { apiAt } from '#tests/support/api.ts';
import { batchBody, onboard, subscribe } from '#tests/support/guidedPath.ts';
import { settled } from './screen.ts';
import { sharedConsole } from './shared.ts';

let batchId = '';
let invoice = '';

const { visiting, program } = sharedConsole(async ({ url }) => {
  const api = apiAt(url);
  await onboard(api);
  const { rules, subscriptionId } = await subscribe(api);
  const body = await batchBody(api, subscriptionId, paymentForm(rules));
  const payments = body.payments.map((payment, index) =>
    index === 1 ? { ...payment, creditor: { ...payment.creditor, creditorId: 'nobody' } } : payment,
  );
  batchId = (await api.done('createBatch', { body: { ...body, payments } })).data.batchId;
  invoice = payments[1]?.remittanceInformation?.reference ?? '';
  await eventually(async () =>
    expect((await api.done('getBatch', { params: { batchId } })).data.status).toBe('Rejected'),
  );
});

it('leads from an error to the marked row of its invoice, also after a reload (behaviour 4.31)', async () => {
  const { page } = visiting();
  await page.goto(`${program().url}/getbatch?batchId=${batchId}`);
  await page.getByRole('link', { name: `Invoice ${invoice}` }).click();
  const box = page.getByRole('checkbox', { name: `Pay invoice ${invoice}` });
  const seen = () =>
    eventually(async () => {
      const state = await box.evaluate((element) => {
        const { top, bottom } = element.getBoundingClientRect();
        const row = element.closest('tr');
        return {
          focused: document.activeElement === element,
          inSight: top >= 0 && bottom <= innerHeight,
          marked: row?.dataset['wrong'] === 'true',
          said: row?.textContent?.includes('does not know nobody'),
          ticked: (element as HTMLInputElement).checked,
        };
      });
      expect(state).toEqual({ focused: true, inSight: true, marked: true, said: true, ticked: true });
    });
  await box.waitFor();
  await seen();
  await settled(page);
  await page.reload();
  await box.waitFor();
  await seen();
  await page.goBack();
  await page.getByRole('heading', { name: 'Payments', exact: true }).waitFor();
});
