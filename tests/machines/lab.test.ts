import { describe, expect, it } from 'vitest';
import { doubleClick } from '#machines/lib/doubleClick.ts';
import { labFormMachine } from '#machines/lab/labForm.machine.ts';
import { faultForm } from '#rules/labForms.ts';
import { failure } from '#tests/support/fixtures.ts';
import { describeWatched, run } from '#tests/support/recordedRuns.ts';

const rule = { ruleId: 'rule-1', on: 'call', of: 'createBatch', fault: { kind: 'answerLost' }, times: 1, probability: 1, seed: 1, asked: 0, happened: 0 }; // prettier-ignore

describe('a form of the fault lab', () => {
  const change = (field: string, value: string) => ({ type: 'form.change', field, value });
  const form = () => run(labFormMachine, faultForm);

  it('sends valid values, and can be sent again with other values', async () => {
    const { sends, at, answer, pass, pending, context, actor } = form();
    let done = 0;
    actor.on('done', () => (done += 1));
    await sends({ type: 'form.submit' });
    expect(pending('submit').input).toEqual(faultForm.first);
    await answer('submit', rule);
    expect([at(), context()['result'], done]).toEqual([{ taken: 'turned' }, rule, 1]);
    await sends({ type: 'form.submit' });
    expect(at(), 'the second press of a double click').toEqual({ taken: 'turned' });
    await pass(doubleClick);
    await sends({ type: 'form.submit' });
    await answer('submit', rule);
    await sends(change('probability', '0.5'));
    expect(at()).toBe('editing');
    await sends({ type: 'form.submit' });
    expect(pending('submit').input).toMatchObject({ probability: '0.5' });
  });

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

  it('shows why it was refused, and keeps the entered values', async () => {
    const { sends, at, refuse, context } = form();
    for (const next of [{ type: 'form.submit' }, change('place', 'call batch')]) {
      await sends({ type: 'form.submit' });
      await refuse('submit', failure);
      expect([at(), context()['failure']]).toEqual(['refused', failure]);
      await sends(next);
      if (next.type === 'form.submit') await refuse('submit', failure);
    }
    expect(context()['values']).toMatchObject({ place: 'call batch' });
    const other = form();
    await other.sends({ type: 'form.submit' });
    await other.answer('submit', rule);
    await other.sends(change('times', ''));
    await other.sends(change('often', 'times'));
    await other.sends({ type: 'form.submit' });
    expect(other.at()).toBe('invalid');
  });
});

describeWatched(labFormMachine);
