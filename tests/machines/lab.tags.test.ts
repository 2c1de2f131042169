import { describe, expect, it } from 'vitest';
import type { AnyStateMachine } from 'xstate';
import { effectsOf } from '#machines/lib/effect.ts';
import type { Tag } from '#machines/lib/state.ts';
import { reportsTo } from '#machines/lib/origins.ts';
import { faultOnArrowMachine } from '#machines/lab/faultOnArrow.machine.ts';
import { labFormMachine } from '#machines/lab/labForm.machine.ts';
import { resourceMachine } from '#machines/lib/resource.machine.ts';
import { programsMachine } from '#machines/lab/programs.machine.ts';
import { faultForm } from '#rules/labForms.ts';
import { live } from '#tests/support/deferredPorts.ts';
import { afterFailures, restingStates, tagsOf, unknownTags } from '#tests/support/stateRules.ts';

/** What stays on the page in all states of a machine, and the states before there is anything to show. */
const staying: readonly [machine: AnyStateMachine, stays: Tag | null, before: readonly string[]][] = [
  [programsMachine, 'list', ['reading', 'unread']],
  [labFormMachine, 'form', []],
  [faultOnArrowMachine, null, []],
];

/** States in which an answer is awaited while the page stays as it was. */
const quiet = ['refreshing'];

describe.each(staying.map(([machine, ...rest]) => [machine.id, machine, ...rest] as const))(
  'the states of %s',
  (_, machine, stays, before) => {
    const resting = restingStates(machine);
    const having = (tag: Tag) => resting.filter((node) => tagsOf(node).includes(tag)).map(({ id }) => id);

    it('keep on the page what was read', () => {
      expect(unknownTags(machine)).toEqual([]);
      const shown = resting.filter(({ key }) => !before.includes(key)).map(({ id }) => id);
      for (const tag of ['list', 'form'] as const) expect(having(tag)).toEqual(tag === stays ? shown : []);
    });

    it('are busy while an answer is awaited that changes what is shown', () => {
      const awaiting = resting.filter(({ invoke, key, id }) => invoke.length > 0 && !quiet.includes(key) && !quiet.includes(id)); // prettier-ignore
      expect(having('busy')).toEqual(awaiting.map(({ id }) => id));
      // Nothing is written without being seen.
      for (const { id, invoke } of resting)
        if (invoke.some((each) => effectsOf(machine)[each.id]?.declared.kind === 'writes'))
          expect(having('busy')).toContain(id);
    });

    it('are failed exactly where an effect’s failure leads', () => {
      const failing = new Set(afterFailures(machine).map(({ id }) => id));
      const silent = ['faultOnArrow.disarming'];
      const refused = machine === faultOnArrowMachine ? ['faultOnArrow.refused'] : [];
      expect(new Set(having('failed'))).toEqual(new Set([...failing, ...refused].filter((id) => !silent.includes(id))));
    });
  },
);

it.each([programsMachine, resourceMachine])(
  '%# takes what may be stale as a report of the page, not as a press of the user',
  (machine) => expect(reportsTo(machine)).toContain('reading.stale'),
);

/** What a machine knows at its beginning, before anything was read or chosen. */
const beginnings: Readonly<Record<string, readonly [machine: AnyStateMachine, context: object, input?: unknown]>> = {
  labForm: [labFormMachine, { kind: faultForm, values: faultForm.first, errors: [], failure: null, result: null }, faultForm], // prettier-ignore
  programs: [programsMachine, { tokens: [], recorded: true, name: '', errors: [], made: null, copied: '', asked: null, failure: null }], // prettier-ignore
  faultOnArrow: [faultOnArrowMachine, { run: null, failure: null, unremoved: null }],
};

it.each(Object.entries(beginnings))(
  'the machine %s begins with nothing read or chosen',
  (id, [machine, context, input]) => {
    expect([machine.id, live(machine, { input: input as never }).actor.getSnapshot().context]).toEqual([id, context]); // its own input
  },
);
