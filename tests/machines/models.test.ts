import { describe, expect, it } from 'vitest';
import { journeyOrder } from '#machines/journeys.ts';
import { pathsThrough, type Path } from '#tests/support/paths.ts';
import { models } from './models.ts';

/** Ports that change something at the service or at the console's server; all others only read. */
const writes = [
  'submit',
  'createSubscription',
  'prepare',
  'putParty',
  'sendQuery',
  'clearAnswer',
  'deleteParty',
  'pay',
  'saveSetting',
  'select',
  'sendAgain',
  'sendUpdate',
  'suspend',
  'startLogin',
];

const invokedBy = (snapshot: Path['start']): string[] =>
  snapshot._nodes.flatMap(({ invoke }) => invoke.map(({ id }) => id));

/** What a path calls before the user has done anything. */
function calledUnasked({ start, steps }: Path): string[] {
  const asked = steps.findIndex(({ event }) => !event.type.startsWith('xstate.'));
  const before = asked < 0 ? steps : steps.slice(0, asked);
  return [start, ...before.map(({ snapshot }) => snapshot)].flatMap(invokedBy);
}

describe.each(journeyOrder)('the chart of %s', (id) => {
  const model = models[id];
  const paths = pathsThrough(model);

  it('is named after its journey', () => {
    expect(model.machine.id).toBe(id);
  });

  it('only reads until the user acts', () => {
    expect(paths.flatMap(calledUnasked).filter((port) => writes.includes(port))).toEqual([]);
  });

  it('can be left from every state at rest', () => {
    const stuck = paths
      .flatMap(({ start, steps }) => [start, ...steps.map(({ snapshot }) => snapshot)])
      .filter(
        (snapshot) =>
          snapshot.status === 'active' &&
          invokedBy(snapshot).length === 0 &&
          !snapshot.hasTag('done') && // the wizard leads on from here
          !['form.cancel', 'alert.close', 'delete.dismiss'].some((type) => snapshot.can({ type })),
      );
    expect(new Set(stuck.map(({ value }) => JSON.stringify(value)))).toEqual(new Set());
  });
});

it('every port is known to read or to write', () => {
  const reads = [
    'loadFacts',
    'loadQuery',
    'loadRules',
    'loadChoice',
    'loadMaterial',
    'loadRows',
    'loadBatches',
    'loadProviders',
    'readSettings',
    'readRow',
    'readAnswer',
    'readBatch',
    'findBatch',
    'pollBatch',
    'downloadFile',
    'askOutcome',
    'obtainToken',
    'look',
  ];
  const ports = new Set(Object.values(models).flatMap(({ machine }) => Object.keys(machine.implementations.actors)));
  expect([...ports].sort()).toEqual([...reads, ...writes].sort());
});
