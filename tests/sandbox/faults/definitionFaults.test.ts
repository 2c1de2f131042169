import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { describe, expect, it, onTestFinished, expectTypeOf } from 'vitest';
import {
  faultKinds,
  faultPlaces,
  faultTargets,
  type FaultKind,
  type FaultOption,
  type FaultTarget,
} from '#contract/faults.ts';
import type { Rule } from '#contract/lookup.ts';
import { faultRuleSchema, type KeptRule } from '#contract/controlShapes.ts';
import { systemClock } from '#server/clock.ts';
import { catalogue } from '#server/sandbox/catalogue/index.ts';
import { catalogueWithFaults } from '#server/sandbox/faults/definitionFaults.ts';
import { createFaults } from '#server/sandbox/faults/faults.ts';
import { openSandboxStore } from '#server/sandbox/store/sandboxStore.ts';
import { openTenantStore } from '#server/sandbox/store/tenantStore.ts';
import { magicValues } from '#contract/magic.ts';
import { controlCalls, controlPath, type ControlCallName, type ControlCall } from '#contract/controlCalls.ts';
import { faultTitle } from '#rules/lab.ts';
import { rowsOf, withRows } from '#tests/support/documentTables.ts';
import type { FaultRule } from '#server/sandbox/faultRules.ts';
import { controlOpenApi } from '#server/sandbox/documents.ts';
import { endpoints } from '#tests/support/endpoints.ts';
import { lintOpenApi } from '#tests/support/lintOpenApi.ts';
import { executionDate } from '#tests/support/executionDate.ts';
import { testLab } from '../testLab.ts';

async function changed(...faults: object[]) {
  const store = await openSandboxStore('file::memory:', { clock: systemClock, log: pino({ level: 'silent' }) });
  onTestFinished(() => store.close());
  const rules = createFaults({
    store: openTenantStore(store, 'default'),
    newId: randomUUID,
    changed: () => undefined,
  });
  const kept: KeptRule[] = [];
  for (const fault of faults) kept.push(await rules.add(faultRuleSchema.parse({ on: 'definition', fault })));
  const stop = async () => {
    for (const { ruleId } of kept) await rules.remove(ruleId);
  };
  return { ...catalogueWithFaults(catalogue, rules), stop };
}

const isOptional = ({ validation }: Rule) => !['Required', 'Hidden'].includes(validation?.optionality ?? 'Hidden');
/** A provider with rules of every kind that the faults change. */
const { providerId, accountType } = catalogue.providersFor().find((each) => {
  const { validationRules } = each.accountType;
  return validationRules.length > 3 && validationRules.some(isOptional);
})!;
const before = accountType.validationRules;
const rulesOf = (changedOne: Awaited<ReturnType<typeof changed>>) =>
  changedOne.providerById(providerId)!.accountType.validationRules;
const optional = before.find(isOptional)!;
const patterned = before.find(({ validation }) => validation?.regex !== undefined)!;
const others = (rules: typeof before, ruleId: string) => rules.filter((each) => each.ruleId !== ruleId);

describe('a fault of the definitions', () => {
  it('ruleAdded: a request that was valid before lacks the new field', async () => {
    const now = await changed({ kind: 'ruleAdded' });
    expect(rulesOf(now)).toHaveLength(before.length + 1);
    const provider = now.providerById(providerId)!;
    const faults = (data: object) => now.violations(now.rulesOf(provider, 'Subscriptions'), { additionalData: data });
    expect(faults({}).map(({ path, code }) => [path, code])).toContainEqual([
      'additionalData.addedByTheLab',
      'Missing',
    ]);
    expect(faults({ addedByTheLab: 'x' }).map(({ path }) => path)).not.toContain('additionalData.addedByTheLab');
  });

  it('ruleDropped: the first rule is gone, or the one that it names', async () => {
    expect(rulesOf(await changed({ kind: 'ruleDropped' }))).toEqual(before.slice(1));
    const named = before.at(-1)!.ruleId;
    expect(rulesOf(await changed({ kind: 'ruleDropped', rule: named }))).toEqual(others(before, named));
  });

  it.each([
    [{ kind: 'ruleRequired' }, optional, { optionality: 'Required' }],
    [{ kind: 'ruleRegex', regex: '^x$' }, patterned, { regex: '^x$' }],
    [{ kind: 'nullText' }, before[0]!, { uiLabel: null, errorMessage: null }],
    [{ kind: 'unknownOptionality' }, before[0]!, { optionality: 'Sometimes' }],
  ])('%j changes one rule and no other', async (fault, rule, change) => {
    const now = rulesOf(await changed(fault));
    expect(now.find(({ ruleId }) => ruleId === rule.ruleId)?.validation).toEqual({ ...rule.validation, ...change });
    expect(others(now, rule.ruleId)).toEqual(others(before, rule.ruleId));
  });

  it('languageGone: no provider offers the language', async () => {
    const now = await changed({ kind: 'languageGone', language: 'fr-CA' });
    expect(catalogue.providersFor('CA', 'fr-CA').length).toBeGreaterThan(0);
    expect(now.providersFor('CA', 'fr-CA')).toEqual([]);
    for (const provider of now.providersFor('CA')) expect(provider.supportedLanguages).not.toContain('fr-CA');
  });

  it('capabilityDropped: the named provider lacks it, and others keep it', async () => {
    const capable = catalogue.providersFor().filter((each) => each.accountType.capabilities?.includes('DebtorQueries'));
    const [one, other] = capable.map((each) => each.providerId);
    const now = await changed({ kind: 'capabilityDropped', provider: one, capability: 'DebtorQueries' });
    const capabilities = (id = '') => now.providerById(id)!.accountType.capabilities;
    expect(capabilities(one)).not.toContain('DebtorQueries');
    expect(capabilities(one)).toContain('SubscriptionRequired');
    expect(capabilities(other)).toContain('DebtorQueries');
    const none = await changed({ kind: 'capabilityDropped' });
    for (const { accountType: type } of none.providersFor())
      expect(type.capabilities ?? []).not.toContain('SubscriptionRequired');
  });

  it('otherCountry: the provider names the other country, and is listed in the previous one', async () => {
    const now = await changed({ kind: 'otherCountry', provider: providerId, country: 'NO' });
    const [country] = catalogue.providerById(providerId)!.country ?? [];
    const listed = now.providersFor(country).filter((each) => each.country?.includes('NO'));
    expect(listed.map((each) => each.providerId)).toEqual([providerId]);
  });

  it('changes file formats likewise', async () => {
    const [format] = catalogue.fileFormatsFor('GB');
    const now = (await changed({ kind: 'ruleDropped' })).fileFormatById(format!.fileFormatId)!;
    const rules = format!.specification.rules;
    const dropped = rules.find(({ sourceValidation }) => sourceValidation !== undefined)!;
    expect(now.specification.rules).toEqual(others(rules, dropped.ruleId));
  });

  it('lasts until it is stopped, however often the definitions are read', async () => {
    const now = await changed({ kind: 'ruleDropped' }, { kind: 'unknownOptionality' });
    for (let turn = 0; turn < 3; turn += 1) expect(rulesOf(now)[0]?.validation?.optionality).toBe('Sometimes');
    await now.stop();
    expect(rulesOf(now)).toEqual(before);
  });
});

const file = 'docs/sandbox.md';
const targets = Object.keys(faultKinds) as FaultTarget[]; // its own keys

const optionOf = ([name, option]: [string, FaultOption]): string =>
  option.type === 'text'
    ? `\`${name}\`: ${option.label}${option.words ? `, one of ${Object.keys(option.words).join(', ')}` : ''} (\`"${option.usual}"\`)`
    : `\`${name}\`: ${option.label}, ${option.least} to ${option.most}${option.unit ? ` ${option.unit}` : ''} (\`${option.usual}\`)`;

const placesOf = (on: FaultTarget): string => faultPlaces[on].map((name) => `\`${name}\``).join(', ');

/** What the console reports is written by tests/server/endToEnd/faultTable.long.test.ts. */
const reports = new Map(rowsOf(file, 'faults').map(([fault = '', , , , report = '']) => [fault, report]));

const faultRow = (on: FaultTarget, [kind, { title, says, options = {} }]: [string, FaultKind]): string[] => {
  const fault = `${on}: \`${kind}\``;
  const given = Object.entries(options).map(optionOf).join('; ').replaceAll('|', '\\|');
  return [fault, title, says, given, reports.get(fault) ?? ''];
};

const takes: Partial<Record<ControlCallName, string>> = {
  addRule: '`{ "on", "of", "fault", "times", "probability", "seed" }`, see [Rules](#rules)',
  sendAllAgain: '`{ "since": "2026-01-31T09:00:00Z" }`',
  checkWebhook: '`{ "id", "timestamp", "signature", "body" }`',
  setReceiver: '`{ "url" }`',
  sendWebhook: '`{ "type", "data", "subscriptionId" }`',
  prepareSituation: '`{ "situation": "payable" }`',
  moveClock: '`{ "move": 60000, "still": true }`',
};

const tables = {
  'lab calls': (Object.keys(controlCalls) as ControlCallName[]).map((name) => [
    `\`${controlCalls[name].method.toUpperCase()} ${controlPath(name)}\``,
    takes[name] ?? '',
    controlCalls[name].says,
  ]),
  targets: targets.map((on) => [`\`${on}\``, faultTargets[on], placesOf(on)]),
  faults: targets.flatMap((on) => Object.entries<FaultKind>(faultKinds[on]).map((kind) => faultRow(on, kind))),
  'magic values': magicValues.map(({ value, where, kind, says }) => [`\`${value}\``, where, faultTitle(kind), says]),
};

it('the document of the fault lab lists targets, faults, magic values and calls', async () => {
  await expect(await withRows(file, tables)).toMatchFileSnapshot(`../../../${file}`);
});

it('a fault has one name, which no other fault has (behaviour 10.20.4)', () => {
  const all = targets.flatMap((on) =>
    Object.entries<FaultKind>(faultKinds[on]).map(([kind, { title }]) => ({ kind, title })),
  );
  const kindsByTitle = new Map(all.map(({ kind, title }) => [title, kind]));
  for (const { kind, title } of all) {
    expect(faultTitle(kind)).toBe(title);
    expect(kindsByTitle.get(title)).toBe(kind);
  }
});

describe('the types of the package for rules of the fault lab', () => {
  it('refuse a kind, an option or a place of another target', () => {
    expectTypeOf<{ on: 'call'; fault: { kind: 'lose' } }>().not.toExtend<FaultRule>();
    expectTypeOf<{ on: 'webhook'; of: 'createBatch'; fault: { kind: 'lose' } }>().not.toExtend<FaultRule>();
    expectTypeOf<{ on: 'call'; fault: { kind: 'latency'; ms: string } }>().not.toExtend<FaultRule>();
    expectTypeOf<{ on: 'call'; fault: { kind: 'latency'; ms: 5 } }>().toExtend<FaultRule>();
  });
});

describe('the OpenAPI document of the fault lab', () => {
  it('names answers by status or as a default, because generators of clients make no name of a range', () => {
    const answers = Object.values(controlOpenApi().paths ?? {}).flatMap((operations) =>
      Object.values(operations as Record<string, { responses: object }>).flatMap(({ responses }) =>
        Object.keys(responses),
      ),
    );
    expect(answers.length).toBeGreaterThan(20);
    expect(answers.filter((answer) => !/^(\d{3}|default)$/.test(answer))).toEqual([]);
  });

  it('passes the linter', async () => {
    expect(await lintOpenApi(controlOpenApi())).toMatchObject({ errors: 0, warnings: 0 });
  }, 30_000);

  it('is answered to anyone and names every call', async () => {
    const { call } = await testLab();
    const { status, text } = await call('GET', '/sandbox/openapi.json');
    const { paths } = JSON.parse(text) as { paths: Record<string, Record<string, { operationId: string }>> }; // above
    const named = Object.values(paths).flatMap((each) => Object.values(each).map(({ operationId }) => operationId));
    expect([status, named.sort()]).toEqual([200, Object.keys(controlCalls).sort()]);
  });

  it('describes what each call answers', async () => {
    const { lab, set, who, webhook, call } = await testLab();
    const payment = { instructedAmount: { amount: '1', currency: 'GBP' }, creditor: { name: 'Example Ltd' } };
    const data = {
      externalId: 'b-1',
      requestedExecutionDateTime: executionDate,
      payments: [payment],
      subscriptionId: who.subscriptionId,
    };
    const { batchId } = (await call('POST', endpoints.batches, { token: who.token, body: { data } })).body.data;
    const { ruleId } = await set({ on: 'webhook', fault: { kind: 'duplicate' } });
    await call('PATCH', `${endpoints.subscriptions}/${who.subscriptionId}`, {
      token: who.token,
      body: { data: { suspendedByConsumer: true } },
    });
    const { headers } = await webhook('subscriptionUpdated');
    const webhookId = String(headers['webhook-id']);
    let snapshotId = '';
    const asked: Record<ControlCallName, { id?: string; body?: object }> = {
      listRules: {},
      readSituation: {},
      addRule: { body: { on: 'batch', fault: { kind: 'hold' } } },
      removeRule: { id: ruleId },
      stopAll: {},
      listBatches: {},
      stepBatch: { id: batchId },
      listWebhooks: {},
      sendAllAgain: { body: { since: '2026-01-31T09:00:00Z' } },
      checkWebhook: { body: { body: '{}' } },
      sendAgain: { id: webhookId },
      explainSignature: { id: webhookId },
      readReceiver: {},
      setReceiver: { body: { url: 'http://127.0.0.1:9/notifications' } },
      removeReceiver: {},
      readClock: {},
      moveClock: { body: { move: 1000, still: false } },
      sendWebhook: { body: { type: 'batchUpdated' } },
      createApplication: {},
      prepareSituation: { body: { situation: 'organisation' } },
      listCalls: {},
      takeSnapshot: {},
      restoreSnapshot: { id: '' },
      resetClock: {},
      openSituation: {
        body: {
          tables: { resources: [], stored_answers: [], jobs: [], deliveries: [] },
          seed: 1,
          ids: 0,
          clock: { now: '2026-01-31T09:00:00.000Z', still: false },
        },
      },
    };
    for (const [name, { id = '', body }] of Object.entries(asked)) {
      const { method, path, status, answer }: ControlCall = controlCalls[name as ControlCallName]; // the keys above
      const got = await lab(method.toUpperCase(), path.replace(/\{\w+\}/, id || snapshotId), body);
      if (name === 'takeSnapshot') ({ snapshotId } = got.body.data);
      expect([name, got.status]).toEqual([name, status]);
      if (answer) expect(answer.safeParse(got.body.data), name).toMatchObject({ success: true });
    }
  });
});
