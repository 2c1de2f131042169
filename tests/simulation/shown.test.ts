import { expect, it } from 'vitest';
import { calls } from '#contract/calls.ts';
import type { Exchange } from './line.ts';
import { shownOutOfOrder, wentBack } from './shown.ts';

const at = (sentAt: number, path: string, answer: unknown): Exchange => ({
  who: 'Ann',
  workspace: '',
  method: 'GET',
  path,
  key: '',
  asked: '',
  body: '',
  status: 200,
  companyKey: '',
  text: JSON.stringify(answer),
  sentAt,
  at: sentAt + 10,
});
const read = (sentAt: number, status: string, more = {}) =>
  at(sentAt, '/api/batchpayments/b', { data: { batchId: 'b', status }, ...more });
const writes = (sentAt: number): Exchange => ({
  ...at(sentAt, calls.setSetting.path, {}),
  method: 'POST',
  body: JSON.stringify({ key: 'postedBatches', value: '[]' }),
});
const listed = (sentAt: number, status: string, more = {}) =>
  at(sentAt, calls.getPostedBatches.path, { data: JSON.stringify([{ batchId: 'b', status, ...more }]) });

it.each([
  [read(0, 'Completed'), read(20, 'Processing')],
  [read(0, 'FAILED'), listed(20, 'Received')],
  [listed(0, 'PartiallyCompleted'), read(20, 'processing')],
])('a batch that was shown to have ended and is shown to go on, without its end, is found', (...shown) => {
  expect(wentBack(shown)).toHaveLength(1);
});

it.each([
  [read(0, 'Processing'), read(20, 'Completed')],
  [read(0, 'Completed'), read(5, 'Processing')], // asked for before the first was read
  [read(0, 'Completed'), read(20, 'Settling')], // not a status of the protocol
  [read(0, 'Completed'), read(20, 'Processing', { ended: 'Completed' })],
  [read(0, 'Completed'), listed(20, 'Processing', { ended: 'Completed' })],
])('a batch that goes on, is shown with its end, or whose answers have overtaken each other, is none', (...shown) => {
  expect(wentBack(shown)).toEqual([]);
});

it.each([
  [read(0, 'Processing'), read(20, 'Received')],
  [read(0, 'COMPLETED'), read(20, 'Processing')],
  [read(0, 'Processing'), listed(20, 'Received')],
])('an older state of a batch that is shown after a newer one is found', (...shown) => {
  expect(shownOutOfOrder(shown)).toHaveLength(1);
});

it.each([
  [read(0, 'Received'), read(20, 'Processing')],
  [read(0, 'Processing'), read(5, 'Received')], // asked for before the first was read
  [read(0, 'Settling'), read(20, 'Received')], // not a status of the protocol
  [read(0, 'Processing'), writes(5), listed(20, 'Received')], // a program has written the list
])('states of a batch in their order, or asked for at the same time, are in order', (...shown) => {
  expect(shownOutOfOrder(shown)).toEqual([]);
});
