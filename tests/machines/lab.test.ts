import { describe, expect, it } from 'vitest';
import { labFormMachine } from '#machines/lab/labForm.machine.ts';
import { faultForm } from '#rules/labForms.ts';
import { run } from '#tests/support/recordedRuns.ts';

const rule = { ruleId: 'rule-1', on: 'call', of: 'createBatch', fault: { kind: 'answerLost' }, times: 1, probability: 1, seed: 1, asked: 0, happened: 0 }; // prettier-ignore

describe('a form of the fault lab', () => {
  const change = (field: string, value: string) => ({ type: 'form.change', field, value });
  const form = () => run(labFormMachine, faultForm);

  it('sends nothing while it is in error, and validates fields in error at each change', async () => {
    const { sends, at, context, calls, answer } = form();
    await sends(change('chance', 'true'));
    await sends(change('probability', '2'));
    expect(context()['errors']).toEqual([]);
    await sends({ type: 'form.submit' });
    expect([at(), context()['errors']]).toEqual(['invalid', [{ id: 'probability', message: expect.any(String) as string }]]); // prettier-ignore
    await sends({ type: 'form.submit' });
    await sends(change('seed', 'x'));
    expect((context()['errors'] as unknown[]).length, 'only what was in error').toBe(1);
    await sends(change('seed', '1'));
    await sends(change('probability', '1'));
    expect([context()['errors'], calls]).toEqual([[], []]);
    await sends({ type: 'form.submit' });
    await answer('submit', rule);
    await sends(change('probability', ''));
    await sends({ type: 'form.submit' });
    expect(at()).toBe('invalid');
  });
});
