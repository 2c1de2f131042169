import { describe, expect, it } from 'vitest';
import { calls } from '#contract/calls.ts';
import { collectionPaths } from '#contract/exports.ts';
import { programPath } from '#contract/programs.ts';
import { openApi } from '#server/api/openapi.ts';
import { eventsPath } from '#server/api/events.ts';
import { timelinePaths } from '#server/api/timeline.ts';
import { lintOpenApi } from '#tests/support/lintOpenApi.ts';

const below = (start: string, ...names: string[]) => names.map((name) => start + name);
const specified = [
  ...below('GET /api/', 'settings', 'providers', 'providers/{}', 'subscription/{}', 'debtors', 'creditors', 'invoices'),
  ...below('GET /api/', 'fileformats', 'batchpayments/{}', 'getbatchpayments', 'downloadpaymentfile/{}', 'userinfo'),
  ...below('GET /api/', 'token', 'translation/{}', 'consumerapistatus', 'consumermessagingapistatus'),
  ...below('POST /api/', 'settings', 'subscription', 'batchpayments', 'organisation', 'company', 'account', 'dataset'),
  ...below('POST /api-msg-v1/', 'updates', 'debtoraccountputs', 'creditorputs', 'debtoraccountlistqueries'),
  ...below('POST /api-msg-v1/', 'creditorlistqueries', 'debtoraccountdeletes', 'creditordeletes'),
  'PATCH /api/patchsubscriptions/{}',
];

describe('The OpenAPI description', () => {
  it('names answers by status or as a default, because generators of clients make no name of a range', () => {
    const answers = Object.values(openApi().paths ?? {}).flatMap((operations) =>
      Object.values(operations as Record<string, { responses: object }>).flatMap(({ responses }) =>
        Object.keys(responses),
      ),
    );
    expect(answers.length).toBeGreaterThan(20);
    expect(answers.filter((answer) => !/^(\d{3}|default)$/.test(answer))).toEqual([]);
  });

  it('passes the linter without errors or warnings', async () => {
    expect(await lintOpenApi(openApi())).toMatchObject({ errors: 0, warnings: 0 });
  }, 30_000);

  it('contains every call of section 7 of the specification (behaviour 7.1)', () => {
    const described = Object.entries(openApi().paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method.toUpperCase()} ${path.replace(/\{\w+\}/, '{}')}`),
    );
    expect(described).toEqual(expect.arrayContaining(specified));
  });

  it('describes every call with its operation id, method and path', () => {
    const downloads = [...Object.values(timelinePaths), ...Object.values(collectionPaths)];
    const others: readonly string[] = [eventsPath, ...downloads, `${programPath}/{path}`];
    const described = Object.entries(openApi().paths).flatMap(([path, operations]) =>
      Object.entries(others.includes(path) ? {} : operations).map(([method, operation]) => [
        (operation as { operationId: string }).operationId,
        `${method.toUpperCase()} ${path}`,
      ]),
    );
    expect(Object.fromEntries(described)).toEqual(
      Object.fromEntries(Object.entries(calls).map(([name, { method, path }]) => [name, `${method} ${path}`])),
    );
  });

  it('marks response members that the console always fills in as required', () => {
    const { required } = openApi().components.schemas?.['Bank'] as { required: string[] }; // described as an object
    expect(required).toContain('friendly_name');
  });

  it('declares an optional Idempotency-Key header for exactly the calls that write', () => {
    const keys = Object.values(openApi().paths).flatMap((operations) =>
      (Object.values(operations) as { operationId: string; parameters?: { name: string; required?: boolean }[] }[])
        .flatMap(({ operationId, parameters = [] }) => parameters.map((each) => ({ operationId, ...each })))
        .filter(({ name }) => name === 'Idempotency-Key'),
    );
    const writes = Object.entries(calls).flatMap(([name, call]) => ('write' in call ? [name] : []));
    expect(keys.map(({ operationId }) => operationId).sort()).toEqual(writes.sort());
    expect(keys.filter(({ required }) => required)).toEqual([]);
  });
});
