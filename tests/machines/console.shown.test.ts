import { describe, expect, it } from 'vitest';
import type { Facts } from '#contract/facts.ts';
import type { ConsoleEvent, JourneyLocation } from '#machines/console.ts';
import { leadsTo, offersOnward, shownRecord, showsEarlier } from '#machines/console.shown.ts';
import { journeyOf, journeyOrder, type JourneyId } from '#machines/journeys.ts';
import { everything, withFacts } from '#tests/support/facts.ts';
import { failure } from '#tests/support/fixtures.ts';
import { opened as openedPage } from './console.running.ts';

const record = {
  id: '0f6e1d5c-0000-4000-8000-000000000001',
  name: 'Paper mill',
  at: '2026-01-31T09:00:00.000Z',
  ms: 12,
  method: 'POST',
  url: '/api',
  status: 202,
  interactionId: 'interaction-1',
};
const repeatable = journeyOrder.filter((id) => journeyOf(id).another !== undefined && journeyOf(id).resource);
const made: Facts['made'] = Object.fromEntries(
  repeatable.map((id): [string, typeof record] => [journeyOf(id).resource ?? '', record]),
);
const there = withFacts(everything, { made });
const arrive = (facts: typeof there): ConsoleEvent => ({ type: 'facts.arrived', facts });

/** The console at a step of the guided path that was done before. */
function opened(journey: JourneyId, more: Partial<JourneyLocation> = {}) {
  const { actor, send } = openedPage({ journey, guided: true, back: null, query: '', ...more }, there);
  const shows = () => [showsEarlier(actor.getSnapshot()), offersOnward(actor.getSnapshot())];
  const leads = () => leadsTo(actor.getSnapshot());
  return { send, shows, leads, named: () => shownRecord(actor.getSnapshot()) };
}

const step = [false, false];

describe('the earlier result of a step that can be repeated', () => {
  it.each<[string, ConsoleEvent, ConsoleEvent]>([
    ['company', { type: 'company.switched', by: 'setSetting' }, arrive(there)],
    ['subscription', { type: 'subscription.switched' }, { type: 'facts.stale' }],
  ])('is not that of the %s before', (_, switched, then) => {
    const { send, shows } = opened('creditor');
    send(switched, then);
    expect(shows()[0]).toBe(false);
  });

  it('is not shown where the address asks for another one, nor where the page was opened directly', () => {
    expect(opened('creditor', { another: true }).shows()).toEqual(step);
    expect(opened('creditor', { guided: false }).shows()).toEqual(step);
  });
});

describe('an earlier result that was opened without the path', () => {
  it('leads to the row after it, once all rows are done', () => {
    expect(opened('organisation', { guided: false }).leads()).toBe('company');
  });

  it.each<[string, Partial<JourneyLocation>]>([
    ['on the path, which offers its own', {}],
    ['while another one is asked for', { guided: false, another: true }],
  ])('leads nowhere %s', (_, more) => {
    expect(opened('organisation', more).leads()).toBeNull();
  });
});

describe('the record that a step has created', () => {
  const ended: ConsoleEvent = { type: 'xstate.done.actor.step', output: { type: 'succeeded', result: {} } };
  const other = { ...record, id: '0f6e1d5c-0000-4000-8000-000000000002' };
  const after = (journey: JourneyId) => withFacts(everything, { made: { [journeyOf(journey).resource ?? '']: other } });

  it.each(repeatable)('of %s is shown once facts have arrived that name it', (journey) => {
    const { send, named } = opened(journey);
    expect(named()).toEqual(record);
    send({ type: 'another.start' });
    expect(named()).toBeUndefined();
    send(ended);
    expect(named()).toBeUndefined();
    send({ type: 'facts.failed', failure });
    expect(named()).toBeUndefined(); // the facts still name the one before
    send({ type: 'retry' }, arrive(after(journey)));
    expect(named()).toEqual(other);
    send({ type: 'facts.stale' });
    expect(named()).toEqual(other);
  });
});
