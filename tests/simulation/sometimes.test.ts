import { expect, it } from 'vitest';
import { nothing } from './coverage.ts';
import { happenedIn, neverHappened, sometimes } from './sometimes.ts';

const all = sometimes.map(({ what }) => what);
const most = Math.max(...sometimes.map(({ worlds }) => worlds));

it('a run of enough worlds tells what must sometimes happen and never did', () => {
  expect(neverHappened(most, new Set(all))).toEqual([]);
  for (const what of ['createBatch: claimed, taken over', 'createBatch: unknown to done by a webhook'])
    expect(neverHappened(most, new Set(all.filter((each) => each !== what)))).toEqual([what]);
});

it('a run of a few worlds tells nothing', () => {
  expect(neverHappened(1, new Set())).toEqual([]);
});

it('a world tells its accidents, each pair of them, the journeys that met them, and how its writes changed', () => {
  const met = { filePayment: ['network lost', 'user reload'] };
  const covered = { ...nothing, met, changes: ['createBatch: claimed to done'] };
  expect(happenedIn({ accidents: ['network lost', 'disk full', 'network lost'], covered })).toEqual([
    'disk full',
    'network lost',
    'disk full + network lost',
    'filePayment meets network lost',
    'filePayment meets any network',
    'filePayment meets user reload',
    'filePayment meets any user',
    'createBatch: claimed to done',
  ]);
});
