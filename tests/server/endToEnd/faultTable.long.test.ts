import { describe, expect, it } from 'vitest';
import { faultHeader } from '#contract/constants.ts';
import { faultKinds, type FaultKind, type FaultTarget } from '#contract/faults.ts';
import type { TimelineEntry } from '#contract/timeline.ts';
import { takeDiffering } from '#tests/support/describedAnswers.ts';
import { rowsOf, withRows } from '#tests/support/documentTables.ts';
import { acts, practice, type Outcome, type Practice } from '#tests/support/faultScenarios.ts';

/** The delay of faults that have one, in ms. */
const soon = 50;
/** The time for which the receiver of webhooks is down, in ms: longer than any wait of the test. */
const longDown = 600_000;

/** The subject of a rule for each target; "any" without an entry. */
const places: Partial<Record<FaultTarget, string>> = {
  call: 'createBatch',
  webhook: 'creditorputs',
  put: 'creditor',
  message: 'creditordeletes',
};

/** The options of a fault with which it takes effect at once on a console after the guided path. */
function optionsOf(on: FaultTarget, kind: string, { rules }: Practice): object {
  const subscription = rules.filter(({ validation }) => validation?.apiPath === 'Subscriptions');
  const named = (fits: (optionality: string) => boolean) => ({
    rule: subscription.find(({ validation }) => fits(validation?.optionality ?? ''))!.ruleId,
  });
  if (on === 'definition' && kind === 'languageGone') return { language: 'en' };
  if (on === 'definition' && ['capabilityDropped', 'otherCountry'].includes(kind)) return {};
  if (on === 'definition' && kind === 'ruleRequired')
    return named((optionality) => optionality !== 'Required' && optionality !== 'Hidden');
  if (on === 'definition' && kind !== 'ruleAdded') return named((optionality) => optionality === 'Required');
  if (kind === 'slow' || kind === 'latency') return { ms: 4000 };
  if (kind === 'receiverDown') return { ms: longDown };
  const { options }: FaultKind = (faultKinds[on] as Record<string, FaultKind>)[kind]!;
  return options && 'ms' in options ? { ms: soon } : {};
}

const passed = ({ status, reason, signature, request, response, fault }: TimelineEntry): string =>
  [
    status === 0 ? `no answer (${reason.replace(/http:\/\/[\d.:]+\d/, 'the service')})` : String(status),
    ...(signature === 'invalid' ? ['signature invalid'] : []),
    ...((fault ?? request.headers[faultHeader] ?? response.headers[faultHeader]) ? ['marked'] : []),
  ].join(', ');

interface Row extends Outcome {
  on: FaultTarget;
  fault: { kind: string };
  timeline: string;
  /** The number of writes that the service accepted. */
  taken: number;
}

/** Injects a fault once, performs the action that it affects, and reads the console’s messages and timeline. */
async function rowOf(practised: Practice, on: FaultTarget, kind: string): Promise<Row> {
  const { server, lab, pass } = practised;
  const fault = { kind, ...optionsOf(on, kind, practised) };
  const [last] = (await server.done('getTimeline', { query: { limit: '1' } })).data;
  pass(1001); // At most one refused webhook is recorded in a second.
  await lab.set({ on, of: places[on] ?? 'any', fault });
  const outcome = await acts[on](practised, kind);
  await lab.stop();
  const { kind: told, id: about } = outcome;
  const { data } = await server.done('getTimeline', {
    query: { kind: told, limit: '100', ...(about !== '' && { text: about }) },
  });
  const since = data
    .filter(({ id, name }) => Number(id) > Number(last!.id) && [outcome.name, ''].includes(name))
    .reverse();
  // A batch is read until it has settled, or until it is the link’s, so only the last responses count.
  const shown = since.slice({ getBatch: -1, downloadPaymentFile: -2 }[outcome.name] ?? 0);
  // Webhooks may overtake each other.
  const lines = told === 'webhook' ? shown.map(passed).sort() : shown.map(passed);
  const sent = (await server.done('getTimeline', { query: { kind: 'service', limit: '100' } })).data;
  const took = sent.filter(
    ({ id, name, status }) => Number(id) > Number(last!.id) && name === outcome.write && status >= 200 && status < 300,
  );
  const taken = outcome.effects ?? took.length;
  return { on, fault, ...outcome, timeline: lines.join('; then ') || 'nothing', taken };
}

const faultOf = ({ on, fault }: Row): string => `${on}: \`${fault.kind}\``;
const reportOf = ({ did, says, timeline, write, taken }: Row): string =>
  `${did}: ${says} Timeline: ${timeline}. Service: ${taken === 0 ? 'nothing' : `${write}: ${taken}`}.`;

describe('A fault injected once', () => {
  const rows: Row[] = [];

  it.each(Object.keys(acts) as FaultTarget[])(
    'with the target %s causes no duplicate write, and the timeline marks faults of requests',
    async (on) => {
      const practised = await practice();
      const found: Row[] = [];
      for (const kind of Object.keys(faultKinds[on])) found.push(await rowOf(practised, on, kind));
      expect(found.filter(({ taken }) => taken > 1)).toEqual([]);
      const unmarked = found.filter(({ timeline }) => !timeline.split('; then ')[0]!.endsWith('marked'));
      if (on === 'call') expect(unmarked).toEqual([]);
      rows.push(...found);
      // These faults make the service differ from its description.
      if (on === 'definition') takeDiffering();
    },
  );

  it('has the effect that the table in docs/sandbox.md describes (behaviour 10.20.4)', async () => {
    const file = 'docs/sandbox.md';
    const reports = new Map(rows.map((row) => [faultOf(row), reportOf(row)]));
    const listed = rowsOf(file, 'faults').map(([fault = '', ...cells]) => [
      fault,
      ...cells.slice(0, -1),
      reports.get(fault) ?? '',
    ]);
    await expect(await withRows(file, { faults: listed })).toMatchFileSnapshot(`../../../${file}`);
  });
});
