import { faultOnArrowMachine } from '#machines/lab/faultOnArrow.machine.ts';
import { labFormMachine } from '#machines/lab/labForm.machine.ts';
import { programsMachine } from '#machines/lab/programs.machine.ts';
import { workspaceMachine } from '#machines/onboarding/workspace.machine.ts';
import { usualFault } from '#rules/faultSentence.ts';
import { faultForm } from '#rules/labForms.ts';
import { otherThan } from '#tests/support/formTyping.ts';
import { modelOf, type Model } from '#tests/support/paths.ts';
import { repeatOf } from '#tests/support/timelineEntry.ts';

const owner = { organisationId: 'organisation-1', companyId: 'company-1' };
const { organisationId } = owner;

const workspace = modelOf(workspaceMachine)({
  answers: {
    use: { nothing: undefined },
    enter: { nothing: undefined },
    remove: { nothing: undefined },
    revealKey: { 'the key': 'the key' },
    confirmKey: { nothing: undefined },
    restoreKey: { nothing: undefined },
  },
  events: {
    'company.use': () => [{ owner }],
    'record.remove': () => [{ record: { kind: 'company', id: 'company-1' } }],
    'key.reveal': () => [{ organisationId }],
    'key.restore': () => [{ organisationId }],
    'list.open': () => [{ companies: 0 }, { companies: 1 }],
    'existing.submit': () => [
      { ...owner, signingKey: 'typed-key' },
      { ...owner, organisationId: 'not an id', signingKey: ' ' },
    ],
  },
  reads: ({ failure, errors }) => [failure !== null, errors.length],
});

export const token = (tokenId: string, more: { expired?: boolean; token?: string } = {}) => ({
  tokenId,
  name: 'Nightly',
  beginning: 'pocp_abcd',
  madeAt: '2026-01-31T09:00:00.000Z',
  usedAt: '',
  expiresAt: '2026-03-02T09:00:00.000Z',
  expired: false,
  ...more,
});
const tokens = [token('a')];

const programs = modelOf(programsMachine)({
  answers: {
    readPrograms: {
      'a token': { recorded: true, tokens },
      'one that nobody has copied': { recorded: false, tokens: [token('b', { token: 'pocp_secret' }), ...tokens] },
    },
    make: { 'a token': { token: 'pocp_secret', made: token('b') } },
    confirm: { nothing: undefined },
    revoke: { nothing: undefined },
  },
  events: {
    'name.change': ({ name }) => [{ name: otherThan(name, ' Nightly ', '') }],
    'token.ask': () => [{ tokenId: 'a' }, { tokenId: 'b' }],
  },
  reads: ({ name, errors, made, asked, tokens: { length }, failure }) => [
    name,
    errors.length,
    made !== null,
    asked?.tokenId,
    length,
    failure !== null,
  ],
});

const labForm = modelOf(labFormMachine)({
  inputs: [faultForm],
  answers: { submit: { rule: { ruleId: 'rule-1' } } },
  events: {
    'form.change': ({ values: { often, times } }) => [
      { field: 'often', value: otherThan(often ?? '', 'times', 'once') },
      { field: 'times', value: otherThan(times ?? '', '1', '') },
    ],
  },
  reads: ({ values: { often, times }, errors, result }) => [often, times, errors.length, result !== null],
});

/** A repetition, with no more of its call than decides. */
function repeating(...given: Parameters<typeof repeatOf>) {
  const { call, ...repeat } = repeatOf(...given);
  const { kind, name, request } = call;
  return { ...repeat, call: { kind, name, request } as typeof call };
}
const call = { rule: usualFault('call', 'createBatch', 'html'), repeat: repeating('same') };

const faultOnArrow = modelOf(faultOnArrowMachine)({
  answers: {
    run: { success: { id: '9', succeeded: true }, failure: { id: '9', succeeded: false } },
    disarm: { removed: true, happened: false },
  },
  events: {
    'fault.run': () => [
      call,
      { ...call, rule: usualFault('webhook', 'any', 'lost') },
      { ...call, repeat: repeating('new') },
      { ...call, repeat: repeating('same', 'setSetting') },
      { ...call, repeat: repeating('new', 'setSetting') },
    ],
  },
  reads: ({ run, failure, unremoved }) => [run, failure !== null, unremoved !== null],
});

/** The models of the machines that are no journeys. */
export const tools: Readonly<Record<string, Model>> = { workspace, programs, labForm, faultOnArrow };
