import { describe, expect, it } from 'vitest';
import { createActor, type AnyMachineSnapshot, type EventObject } from 'xstate';
import { consoleLogic } from '#app/console/consoleActor.ts';
import { clearCompany, setSwitchListener, syncCompany } from '#app/client/companyOfTab.ts';
import type { Facts } from '#contract/facts.ts';
import type { CallName } from '#contract/calls.ts';
import { effectsOf } from '#machines/lib/effect.ts';
import { deferred, settled } from '#tests/support/deferredPorts.ts';
import { pathsThrough } from '#tests/support/paths.ts';
import { nowhere, walkOn } from '#tests/support/pathsReplay.ts';
import { models } from './models.ts';

/** The calls that switch the company of the tab. */
const switching = ['createOrganisation', 'createCompany', 'setSetting', 'useExisting', 'removeRecord', 'openSituation'] as const satisfies CallName[]; // prettier-ignore

const model = models.electronicPayment;
const writes = (name: string): boolean => effectsOf(model.machine)[name]?.declared.kind === 'writes';

/** The ways to a payment that can be sent: those whose next step would start a write. */
const ready = pathsThrough(model).flatMap((path) => {
  const at = path.steps.findIndex(({ snapshot }) => Object.keys(snapshot.children as object).some(writes));
  const event = path.steps[at]?.event;
  return event && at > 0 ? [{ path: { ...path, steps: path.steps.slice(0, at) }, event }] : [];
});
const [sendable] = ready.toSorted((a, b) => a.path.steps.length - b.path.steps.length);

/** A console with a payment open that only has to be sent, for the company `first`. */
async function paying() {
  clearCompany();
  const { path, event } = sendable!; // the model pays
  const ports = deferred(model.machine);
  const { facts } = path.input as { facts: Facts };
  const logic = consoleLogic({
    load: () => Promise.resolve(facts),
    loadJourney: () => Promise.resolve({ machine: ports.machine, input: () => path.input as object }),
  });
  const actor = createActor(logic, { clock: ports.clock }).start();
  setSwitchListener((by) => actor.send({ type: 'company.switched', by }));
  syncCompany('getFacts', 'first', '');
  const gone: string[] = [];
  actor.on('go', ({ to }) => gone.push(to));
  actor.send({ type: 'address.changed', opening: { journey: 'electronicPayment', guided: false, back: null, query: '' } }); // prettier-ignore
  for (let turns = 0; turns < 3; turns += 1) await settled();
  const step = actor.getSnapshot().context.step!; // opened with facts and code
  const send = async (sent: EventObject) => (step.send(sent), settled());
  const snapshot = () => step.getSnapshot() as AnyMachineSnapshot; // journeys are machines
  await walkOn({ ...ports, act: send, snapshot, close: () => undefined }, model, path, nowhere());
  const sent = () => ports.calls.filter(({ port }) => writes(port)).length;
  return { actor, send, sent, event, gone };
}

describe('a payment that is open', () => {
  it('is sent by its button as long as its company is the one that calls go out for', async () => {
    const { send, sent, event, actor } = await paying();
    await send(event);
    expect(sent()).toBe(1);
    actor.stop();
  });

  it.each(switching)(
    'is not sent for the company to which %s has switched elsewhere (behaviour 10.10.5)',
    async (by) => {
      const { actor, send, sent, event, gone } = await paying();
      syncCompany(by, 'second', 'first');
      await send(event);
      await settled();
      expect([sent(), gone.at(-1), actor.getSnapshot().context.step]).toEqual([0, '/', null]);
      actor.stop();
    },
  );
});
