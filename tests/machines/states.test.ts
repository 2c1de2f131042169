import { describe, expect, it } from 'vitest';
import { transition, type AnyMachineSnapshot, type AnyStateMachine, type AnyStateNode } from 'xstate';
import { usersEvents } from '../../scripts/charts/chartOf.ts';
import type { DraftState } from '#machines/lib/draft.ts';
import type { FormState } from '#machines/lib/form.ts';
import type { JourneyContext } from '#machines/lib/gate.ts';
import { journeysIn } from '#machines/journeys.ts';
import { models } from '#tests/machines/models.ts';
import { areas } from '#tests/support/coverage.ts';
import { begin } from '#tests/support/invoked.ts';
import type { Model } from '#tests/support/paths.ts';
import { flawsOf } from '#tests/support/pathsFaults.ts';
import { unsaid } from '#tests/support/pathsRules.ts';
import { failure } from '#tests/support/fixtures.ts';
import { handles, restingStates, tagFaults, tagsOf } from '#tests/support/stateRules.ts';

const ids = areas.flatMap((area) => journeysIn(area));

/** The batch is shown while it is read again. */
const quiet = ['batch.reading'];

/** Retries that repeat nothing: they send something new, or begin with what has to be decided or read again. */
const begins = /^(\w+Query\.list\.(unlisted|refused)|authorisation\.list(\.refused)?|\w+\.shown)$/;

/** A machine in one of its states, with some members of its first context replaced. */
function inState({ machine, inputs, facts }: Model, { path }: AnyStateNode, more: object): AnyMachineSnapshot {
  const input = { ...(inputs[0] as object | undefined), facts: Object.values(facts).at(-1) };
  const { context } = begin(machine, input).snapshot as { context: object };
  const value = path.reduceRight<object | string>((inner, key) => (inner === '' ? key : { [key]: inner }), '');
  return machine.resolveState({ value, context: { ...context, ...more } } as never); // made of the machine's own
}

const forbidden = { ...failure, code: 'forbidden' as const };

describe.each(ids)('the states of %s', (id) => {
  const model = models[id];
  const machine: AnyStateMachine = model.machine;
  const resting = restingStates(machine);
  const idsOf = (nodes: readonly AnyStateNode[]) => nodes.map((node) => node.id);

  it('belong to a machine named after its journey, with words for each state and event', () => {
    expect(machine.id).toBe(id);
    expect(unsaid(machine)).toEqual([]);
    expect(() => usersEvents(machine)).not.toThrow();
    expect(flawsOf(machine, model.fails)).toEqual([]);
  });

  it('are drawn, busy while they await an effect, and failed where that can be tried again', () => {
    expect(tagFaults(machine, quiet)).toEqual([]);
  });

  it('that wait for the user can be left', () => {
    const ways = ['form.cancel', 'alert.close', 'delete.dismiss'];
    const waiting = resting.filter((node) => !['busy', 'done'].some((tag) => tagsOf(node).includes(tag)));
    expect(idsOf(waiting.filter((node) => !ways.some((type) => handles(node, type))))).toEqual([]);
  });

  it('offer a retry only where the same request can end otherwise (behaviour 10.2.5)', () => {
    const failed = resting.filter(({ tags, id: at }) => tags.includes('failed') && !begins.test(at));
    const offering = (problem: typeof failure) =>
      failed.filter((node) => inState(model, node, { failure: problem }).can({ type: 'retry' }));
    expect(idsOf(offering(forbidden))).toEqual([]);
    expect(idsOf(offering(failure))).toEqual(idsOf(failed));
  });

  it('keep what is typed and filled in as a draft, and fill in examples on the sandbox only', () => {
    const form = { fields: [{ id: 'name', label: 'Name', description: '', example: 'Ours', required: true, kind: 'text' as const, options: [], regex: '', errorMessage: '', paths: ['name'] }] }; // prettier-ignore
    const given = { form, values: {}, errors: [] } satisfies FormState;
    const filling = { type: 'form.fill' };
    const live = { ...Object.values(model.facts).at(-1), environment: 'live' };
    const fillable = (node: AnyStateNode, more: object) => inState(model, node, { ...given, ...more }).can(filling);
    expect(idsOf(resting.filter((node) => fillable(node, { facts: live })))).toEqual([]);
    const next = (node: AnyStateNode, event: { type: string }) => {
      const [after]: [AnyMachineSnapshot, unknown] = transition(machine, inState(model, node, given), event);
      return after.context as JourneyContext & DraftState & FormState; // of a journey with a form
    };
    for (const node of resting.filter((each) => fillable(each, {}))) {
      const { draft, values, likesExamples } = next(node, filling);
      expect([draft.fields, likesExamples], node.id).toEqual([values, true]);
    }
    const typed = { type: 'form.change', field: 'name', value: 'Typed' };
    for (const node of resting.filter((each) => handles(each, typed.type) && !tagsOf(each).includes('busy'))) {
      const { draft } = next(node, typed) as Partial<DraftState>; // an update of a subscription has none
      if (draft) expect(draft.fields, node.id).toEqual({ name: 'Typed' });
    }
  });
});
