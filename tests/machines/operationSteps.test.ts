import { expect, it } from 'vitest';
import type { Answer } from '#contract/shapes.ts';
import { journeyOf } from '#machines/journeys.ts';
import { stepsOf } from '#machines/operationSteps.ts';
import { plain } from '#runner/file.ts';
import { describedAt } from '#server/upstream/operations.ts';
import { operations, type OperationName } from '#server/upstream/operations.ts';
import { walkerOn } from '#tests/support/journeyRunner.ts';

const names = Object.keys(operations) as OperationName[]; // its own keys

it('each operation of the service but the key set has steps, which exist, in the description’s names (behaviour 10.26.1)', () => {
  expect(names.filter((name) => stepsOf(name).length === 0)).toEqual(['keySet']);
  expect(names.flatMap(stepsOf).every((id) => journeyOf(id).path.startsWith('/'))).toBe(true);
  expect(['accessTokenByGet', 'batchUpdatedWebhook', 'constructor', ''].map(stepsOf)).toEqual([[], [], [], []]);
});

it('the step of each operation sends it when it is walked (behaviour 10.26.1)', async () => {
  const { walker, server } = await walkerOn();
  await walker.guided();
  const others = [
    'providers',
    'bankFiles',
    'translations',
    'consumerHealth',
    'messagingHealth',
    'additionalData',
  ] as const;
  await walker.all([...others, 'debtorQuery', 'creditorQuery', 'filePayment'].map((id) => plain(id as 'providers')));
  // The console answers what it has read before, so that a step's own call may cause no request.
  const [callsOfStep, callsOf] = [new Set<string>(), new Set<string>()];
  for (let after: string | undefined = ''; after !== undefined;) {
    const query = { limit: '100', ...(after !== '' && { after }) };
    const page: Answer<'getTimeline'> = await server.done('getTimeline', { query });
    for (const { kind, name, method, url, journey } of page.data)
      if (kind === 'call') callsOfStep.add(`${journey} ${name}`);
      else if (kind === 'service') callsOf.add(`${describedAt(method, new URL(url).pathname) ?? ''} ${name}`);
    after = page.next;
  }
  const callsFor = (operation: string) =>
    [...callsOf].map((each) => each.split(' ')).flatMap(([sent, name]) => (sent === operation ? name : []));
  const sends = (operation: string) =>
    stepsOf(operation).some((id) => callsFor(operation).some((name) => callsOfStep.has(`${id} ${name}`)));
  /** They need a choice that the walk does not make: a deletion, a change, a bank, a country, a text, a download. */
  const unwalked = [
    'patchSubscription',
    'updates',
    'debtoraccountdeletes',
    'creditordeletes',
    'banks',
    'providers',
    'translation',
    'paymentFile',
  ];
  const missing = names.filter((name) => stepsOf(name).length > 0 && !unwalked.includes(name) && !sends(name));
  expect(missing, [...callsOf, ...callsOfStep].join('\n')).toEqual([]);
});
