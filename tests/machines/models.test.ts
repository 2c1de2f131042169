import { describe, expect, it } from 'vitest';
import type { AnyStateMachine } from 'xstate';
import { journeyOrder } from '#machines/journeys.ts';
import { isPoll } from '#machines/poll.ts';
import { portsOf } from '#machines/port.ts';
import { pathsThrough, type Path } from '#tests/support/paths.ts';
import { models } from './models.ts';

const invokedBy = (snapshot: Path['start']): string[] =>
  snapshot._nodes.flatMap(({ invoke }) => invoke.map(({ id }) => id));

/** Nothing is under way, or a poll, which may take for ever. */
const isAtRest = (snapshot: Path['start']): boolean =>
  invokedBy(snapshot).every((name) => isPoll(portsOf(snapshot.machine as AnyStateMachine)[name]));

/** What a path calls before the user has done anything. */
function calledUnasked({ start, steps }: Path): string[] {
  const asked = steps.findIndex(({ event }) => !/^(xstate|poll)\./.test(event.type));
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
    expect(
      paths.flatMap(calledUnasked).filter((name) => portsOf(model.machine)[name]?.declared.effect === 'writes'),
    ).toEqual([]);
  });

  it('can be left from every state at rest', () => {
    const stuck = paths
      .flatMap(({ start, steps }) => [start, ...steps.map(({ snapshot }) => snapshot)])
      .filter(
        (snapshot) =>
          snapshot.status === 'active' &&
          isAtRest(snapshot) &&
          !snapshot.hasTag('done') && // the wizard leads on from here
          !['form.cancel', 'alert.close', 'delete.dismiss'].some((type) => snapshot.can({ type })),
      );
    expect(new Set(stuck.map(({ value }) => JSON.stringify(value)))).toEqual(new Set());
  });
});
