import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { AnyStateNode } from 'xstate';
import { connectionMachine } from '#machines/connection.machine.ts';
import { consoleMachine } from '#machines/console.machine.ts';
import { journeyOrder, journeysIn, type Area } from '#machines/journeys.ts';
import { faultOnArrowMachine } from '#machines/lab/faultOnArrow.machine.ts';
import { labFormMachine } from '#machines/lab/labForm.machine.ts';
import { resourceMachine } from '#machines/lib/resource.machine.ts';
import { programsMachine } from '#machines/lab/programs.machine.ts';
import { frameMachine } from '#machines/lib/frame.machine.ts';
import { batchApproval } from '#machines/batch/batch.machine.ts';
import { messageApproval, messageMachine } from '#machines/lib/message.machine.ts';
import { workspaceMachine } from '#machines/onboarding/workspace.machine.ts';
import { models } from '#tests/machines/models.ts';
import { subscriptionApproval } from '#machines/subscription/rows.ts';
import { allMachines } from '#tests/support/machines.ts';
import { statesOf } from '#tests/support/pathsFaults.ts';

const machines = await allMachines();

/** The machines of pages other than journeys; each has a test that takes every transition. */
const besides = [
  connectionMachine,
  consoleMachine,
  workspaceMachine,
  labFormMachine,
  faultOnArrowMachine,
  resourceMachine,
  programsMachine,
  frameMachine,
  // The paths of the journeys that invoke them take every transition.
  messageMachine,
  subscriptionApproval,
  messageApproval,
  batchApproval,
];

describe('each state machine', () => {
  it('belongs to a journey of the registry with a model, or is one of the known others', () => {
    const known = [...besides, ...Object.values(models).map(({ machine }) => machine)];
    expect(machines.filter((machine) => !known.includes(machine)).map(({ id }) => id)).toEqual([]);
    expect(machines).toHaveLength(journeyOrder.length + besides.length);
  });

  // The console's machine has no invocations, because @xstate/test does not support them: its actions start actors.
  it.each(machines.filter((each) => each !== consoleMachine).map((machine) => [machine.id, machine] as const))(
    '%s declares exactly the effects that it invokes',
    (_, machine) => {
      const invoked = [machine.root as AnyStateNode, ...statesOf(machine)].flatMap(({ invoke }) =>
        invoke.map(({ src }) => src),
      );
      const ports = Object.keys(machine.implementations.actors);
      expect(new Set(invoked)).toEqual(new Set(ports));
    },
  );
});

describe('the folders of src/machines', () => {
  const areas = new Set(
    readdirSync('src/machines', { withFileTypes: true }).flatMap((each) =>
      each.isDirectory() && !['lab', 'lib'].includes(each.name) ? each.name : [],
    ),
  );

  it('contain exactly the journeys of the registry', () => {
    expect([...areas].flatMap((area) => journeysIn(area as Area)).sort()).toEqual([...journeyOrder].sort()); // the folder's name
  });
});
