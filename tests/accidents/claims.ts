import type { AnyStateMachine } from 'xstate';
import { journeyOf, journeyOrder, type JourneyId } from '#machines/journeys.ts';
import { models } from '#tests/machines/models.ts';
import { statesOf } from '#tests/support/pathsFaults.ts';
import { accidentNames, accidentsByName, type AccidentName } from './accidents.ts';
import type { User, Way } from './user.ts';
import { users } from './users.ts';

/** One state in which everything has to happen, and how to get there. */
export interface Claim {
  user: User;
  /** What the user wants. */
  wants: string;
  way: Way;
  state: string;
}

export const wishes: readonly string[] = Object.keys(users);
const byWish: readonly [string, User][] = Object.entries(users);

/** The first user of a journey, who also walks it where a gate leads there. */
export const userOf = (id: JourneyId): User | undefined => byWish.find(([, { journey }]) => journey === id)?.[1];

const claims: readonly Claim[] = byWish.flatMap(([wants, user]) =>
  user.ways.flatMap((way) => way.states.map((state) => ({ user, wants, way, state }))),
);

/** Whose walks `npm run test:all` takes: their charts have all that the others have, but for the subscription list. */
export const everyTime: readonly string[] = ['create a debtor', 'pay electronically'];

/**
 * The claims of who wants this that a run proves with an accident: all of them, else every fifth one, without the gates,
 * so that each state has a fifth of the accidents and each accident a fifth of the states.
 */
export function claimsFor(wants: string, name: AccidentName, all: boolean): Claim[] {
  const own = claims.filter((claim) => claim.wants === wants);
  if (all) return own;
  const turn = accidentNames.indexOf(name);
  return own.filter(({ state, way }, index) => state !== 'blocked' && !way.at && (index + turn) % 5 === 0);
}

/** The accidents that `npm run test:all` tries in Chromium: those of tabs, history, clock and process, which jsdom imitates. */
export const everyTimeInBrowser: readonly AccidentName[] = [
  ...(['reload', 'backAndForward', 'secondTab', 'restart', 'anotherDay'] as const),
];

/** A state of the screen in which accidents happen in Chromium, and why there. */
interface Choice {
  wants: string;
  state: string;
  why: string;
}

/** What happens in Chromium each time. */
const inBrowser: readonly Choice[] = [
  { wants: 'pay electronically', state: 'paying', why: 'money is under way: everything that can happen there' },
];
/** What happens there besides when all is run. */
const inBrowserOfAll: readonly Choice[] = [
  { wants: 'create an organisation', state: 'form.editing', why: 'a form is filled in' },
  { wants: 'create an organisation', state: 'form.submitting', why: 'the first write, before there is a company' },
  { wants: 'create a creditor', state: 'answering.waiting', why: 'an answer is awaited' },
  { wants: 'create a creditor', state: 'form.refused', why: 'a write is tried again after its answer was lost' },
  { wants: 'pay electronically', state: 'loading', why: 'a page opens' },
  { wants: 'pay electronically', state: 'reviewing', why: 'what was reviewed is about to be paid' },
  { wants: 'pay electronically', state: 'blocked', why: 'a gate, and the way from it' },
];

/** The claims that a run proves in the browser. */
export const claimsInBrowser = (all: boolean): Claim[] =>
  (all ? [...inBrowser, ...inBrowserOfAll] : inBrowser).map((choice) => {
    const claim = claims.find(({ wants, state }) => wants === choice.wants && state === choice.state);
    if (!claim) throw new Error(`Nobody who wants to ${choice.wants} is in ${choice.state}`);
    return claim;
  });

/** States in which nothing happens here, by journey or for all, with the reason. */
const beyond: Readonly<Record<string, string>> = {
  appearing: 'the first half second of `reviewing`',
  settled: 'the payment is made: a webhook or a reading has named its batch, as in `succeeded`',
  'authorisation/turned': 'the first half second of `listing`',
  'authorisation/updating.another': 'another update awaits its answer; like `debtor/pending`',
  'bankSubscription/choosing': 'there is one bank provider, which is chosen at once',
  'bankSubscription/noSubscriptionSupport': 'the same',
  'debtorQuery/unlisted': 'the list is not kept any more, a minute after another page has read it',
  'creditorQuery/unlisted': 'the list is not kept any more, a minute after another page has read it',
};

/** States that are shown: neither passed through at once nor the end. */
const shown = (machine: AnyStateMachine): string[] =>
  statesOf(machine).flatMap(({ id, type, always = [], states }) =>
    type === 'final' || always.length > 0 || Object.keys(states).length > 0 ? [] : id.slice(machine.id.length + 1),
  );

/** The states of a journey that are claimed, and those that nobody has spoken of. */
export function statesIn(id: JourneyId): { claimed: string[]; open: string[]; beyond: string[] } {
  const claimed = new Set(claims.flatMap(({ user, state }) => (user.journey === id ? state : [])));
  const { machine, never } = models[id];
  const rest = shown(machine).filter((state) => !claimed.has(state) && never[`${id}.${state}`] === undefined);
  const excused = rest.filter((state) => (beyond[state] ?? beyond[`${id}/${state}`]) !== undefined);
  return { claimed: [...claimed], open: rest.filter((state) => !excused.includes(state)), beyond: excused };
}

const row = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`;
const count = (states: readonly string[]): number => states.length;

/** The document of what happens where. */
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
  return `# Every accident

What lies between the charts: in every state of every journey each of these happens once, then the path goes on. The page's
own program runs, with its own ports and everything but its screens, over HTTP to the console's server, and that to the
sandbox (\`tests/accidents\`). Each walk begins where console and service are put back to on the guided path.

| accident | what happens |
| --- | --- |
${accidentNames.map((name) => row([name, accidentsByName[name].words])).join('\n')}

After each walk holds:

- At most one thing was made at the service for what the user wanted once, and it is there unless the service has forgotten.
- What the page has acknowledged is there, and what the console lists and shows is what the service keeps: organisation,
  company, account, subscription with its status and suspension, debtors, creditors, batches.
- The walk has not ended in a state from which nothing led on: a failure can be tried again or left, a gate names a journey
  that can be started, and that way is walked. Only where the service has forgotten everything a walk may end earlier, in
  a gate or in a failure that says why.

## Accident x journey

How many states of the journey each accident happens in; a state counts if the walk was in it and the accident happened
there, otherwise the test of that user fails.

${row(['journey', 'states', ...accidentNames])}
${row(['---', '---', ...accidentNames.map(() => '---:')])}
${table.join('\n')}

## Who wants what

${row(['wish', 'journey', 'begins after'])}
| --- | --- | --- |
${wishes.join('\n')}

## The states

| journey | states |
| --- | --- |
${places.join('\n')}

Nothing happens in these:

| state | why |
| --- | --- |
${Object.entries(beyond)
  .map(([state, why]) => row([`\`${state}\``, why]))
  .join('\n')}

## In the browser

All of them happen in Chromium in these states, on the page as it is built, with the same server and sandbox, users and invariants
(\`tests/browser/accidents.long.test.ts\`). Everything else between charts is the same program there and in memory. Of the accidents,
\`npm run test:all\` tries ${everyTimeInBrowser.map((name) => `“${name}”`).join(', ')} there: those of tabs, history, clock and process.

| state | run by | why |
| --- | --- | --- |
${[inBrowser, inBrowserOfAll]
  .flatMap((choices, index) =>
    choices.map((choice) =>
      row([
        `${choice.wants}: \`${choice.state}\``,
        index === 0 ? '`npm run test:all`' : '`npm run accidents`',
        choice.why,
      ]),
    ),
  )
  .join('\n')}

## What runs when

- \`npm run test:all\` walks ${everyTime.map((wish) => `“${wish}”`).join(' and ')} with a fifth of these pairs: every fifth state,
  not the gates, with each accident; and a few random walks: what the user does, and any accidents in between, at once or in the
  page’s next call.
- \`npm run accidents\` walks everything above, and 1,000 random walks. A failure prints the shortest sequence that fails,
  and its seed and path; \`SEED=… npm run accidents\` repeats them, \`SEED=… WALK=…\` begins with that one.
`;
}
