import type { AnyStateMachine } from 'xstate';
import { journeyOf, journeyOrder, type JourneyId } from '#machines/journeys.ts';
import { models } from '#tests/machines/models.ts';
import { statesOf } from '#tests/support/pathsFaults.ts';
import { accidentNames, accidentsByName, type AccidentName } from './accidents.ts';
import type { User, Way } from './user.ts';
import { users } from './users.ts';

/** One state in which each accident is tried, and how to reach it. */
export interface Claim {
  user: User;
  /** The user's goal. */
  wants: string;
  way: Way;
  state: string;
}

export const wishes: readonly string[] = Object.keys(users);
const byWish: readonly [string, User][] = Object.entries(users);

/** The first user of a journey, who also walks it when a gate leads there. */
export const userOf = (id: JourneyId): User | undefined => byWish.find(([, { journey }]) => journey === id)?.[1];

const claims: readonly Claim[] = byWish.flatMap(([wants, user]) =>
  user.ways.flatMap((way) => way.states.map((state) => ({ user, wants, way, state }))),
);

/** The journeys walked by `npm run test:all`: their charts cover those of the others, except for the subscription list. */
export const everyTime: readonly string[] = ['create a debtor', 'pay electronically'];

/**
 * The claims of this goal that a run tests with an accident: all of them, otherwise every fifth one, without the gates,
 * so that each state has a fifth of the accidents and each accident a fifth of the states.
 */
export function claimsFor(wants: string, name: AccidentName, all: boolean): Claim[] {
  const own = claims.filter((claim) => claim.wants === wants);
  if (all) return own;
  const turn = accidentNames.indexOf(name);
  return own.filter(({ state, way }, index) => state !== 'blocked' && !way.at && (index + turn) % 5 === 0);
}

/** States in which no accident is tried, by journey or for all, with the reason. */
const beyond: Readonly<Record<string, string>> = {
  'review.settling': 'the first half second of `review.ready`',
  'review.settled': 'the payment is made: a webhook or a reading has named its batch, as in `succeeded`',
  'authorisation/list.turned': 'the first half second of `list.listing`',
  'authorisation/updating.another': 'another update awaits its answer; like `debtor/pending`',
  'bankSubscription/choosing': 'the sandbox has one bank provider in a country, which is chosen at once',
  'bankSubscription/noSubscriptionSupport': 'the same',
  approving:
    'the provider of these walks asks for no approval of what is sent; as in `authorisation/approving.waiting`',
  'accessToken/masked': 'the sandbox’s token is shown at once; a reading, as in `shown`',
  'accessToken/revealing': 'the same',
  'accessToken/revealed': 'the same',
};

/** States that the user sees: neither transient nor final. */
const shown = (machine: AnyStateMachine): string[] =>
  statesOf(machine).flatMap(({ id, type, always = [], states }) =>
    type === 'final' || always.length > 0 || Object.keys(states).length > 0 ? [] : id.slice(machine.id.length + 1),
  );

/** The states of a journey that claims cover, and those that neither a claim nor an exception names. */
export function statesIn(id: JourneyId): { claimed: string[]; open: string[]; beyond: string[] } {
  const claimed = new Set(claims.flatMap(({ user, state }) => (user.journey === id ? state : [])));
  const { machine } = models[id];
  // A state that invokes a machine is that machine's states, which count once, whichever journey they occur in.
  const isClaimed = (state: string) => [...claimed].some((each) => `${each}.`.startsWith(`${state}.`));
  const rest = shown(machine).filter((state) => !isClaimed(state));
  const excused = rest.filter((state) => (beyond[state] ?? beyond[`${id}/${state}`]) !== undefined);
  return { claimed: [...claimed], open: rest.filter((state) => !excused.includes(state)), beyond: excused };
}

const row = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`;
const count = (states: readonly string[]): number => states.length;

/** The document that lists which accident is tried in which state. */
export function documentOf(): string {
  const table = journeyOrder.map((id) => {
    const { claimed, beyond: excused } = statesIn(id);
    const of = `${count(claimed)} of ${count(claimed) + count(excused)}`;
    return row([journeyOf(id).title, of, ...accidentNames.map(() => count(claimed))]);
  });
  const places = journeyOrder.map((id) =>
    row([
      `\`${id}\``,
      statesIn(id)
        .claimed.map((state) => `\`${state}\``)
        .join(', '),
    ]),
  );
  const wishes = byWish.map(([wants, { journey, at }]) => row([wants, `\`${journey}\``, `\`${at}\``]));
  return `# Accidents

The charts describe what a journey does with events; accidents are what can occur between two events: a reload, a second tab, a
lost webhook, a restart of the server. In every state of every journey each accident occurs once, and then the user goes on.
The tests in \`tests/accidents\` run the page's own program without its screens, against the console's server and the sandbox.
Each walk begins with both restored to a point of the guided path.

| accident | what happens |
| --- | --- |
${accidentNames.map((name) => row([name, accidentsByName[name].words])).join('\n')}

After each walk:

- The service has created at most one record for each thing that the user wanted once, and that record still exists unless
  the accident deleted the service's records.
- Everything that the page has confirmed exists. The facts of the console equal the service's records: organisation, company,
  account, subscription with its status and suspension, debtors, creditors, batches.
- The user could always go on: a failure can be retried or left, and a gate leads to a journey that can be started and that the
  walk then completes. Only where the service's records were deleted may a walk end in a gate or a failure that says so.

## Accidents by journey

The number of states of each journey in which each accident occurs. A state counts only if the walk reached it and the accident
occurred there; otherwise the test fails.

${row(['journey', 'states', ...accidentNames])}
${row(['---', '---', ...accidentNames.map(() => '---:')])}
${table.join('\n')}

## Goals of the users

${row(['goal', 'journey', 'begins after'])}
| --- | --- | --- |
${wishes.join('\n')}

## States

| journey | states |
| --- | --- |
${places.join('\n')}

No accident occurs in these:

| state | reason |
| --- | --- |
${Object.entries(beyond)
  .map(([state, why]) => row([`\`${state}\``, why]))
  .join('\n')}

## Commands

- \`npm run test:all\` walks ${everyTime.map((wish) => `“${wish}”`).join(' and ')} with a fifth of the pairs of state and accident,
  without the gates, and a few random walks, in which accidents occur between the user's actions.
- \`npm run accidents\` walks all pairs and 1,000 random walks. A failure prints the shortest failing sequence with its seed and
  path. \`SEED=… npm run accidents\` repeats the run, \`SEED=… WALK=…\` begins with that sequence.
`;
}
