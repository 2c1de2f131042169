import { expect, it } from 'vitest';
import { shortId, withShortIds } from '#rules/shortId.ts';

it.each([
  ['Subscription 0cae7431-1111-4222-8333-94445555aa5a is Authorised', 'Subscription 0cae7431…aa5a is Authorised'],
  ['Subscription sub_01HF3Z8K4Q9WX2 is Authorised', 'Subscription sub_01HF…9WX2 is Authorised'],
  ['GET /v3/batchpayments/0123456789abcdef01234567', 'GET /v3/batchpayments/01234567…4567'],
])('a text is shown with its ids shortened, UUIDs or not: %s', (text, short) => expect(withShortIds(text)).toBe(short));

it.each([
  'Batch batch-1 is PaymentFileAvailable',
  'POST /api-msg-v1/debtoraccountlistqueries',
  '2026-11-22T10:00:00.000Z',
])('a text without an id is unchanged: %s', (text) => expect(withShortIds(text)).toBe(text));

it('an id of 16 characters is not shortened', () => expect(shortId('0123456789abcdef')).toBe('0123456789abcdef'));
