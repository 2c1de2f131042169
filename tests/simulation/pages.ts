import { calls } from '#contract/calls.ts';
import type { Problem } from '#contract/problem.ts';
import type { Answer } from '#contract/shapes.ts';
import type { BatchRequest } from '#contract/payment.ts';
import type { JourneyId } from '#machines/journeys.ts';
import type { RecordedCall } from '#server/sandbox/recorded.ts';
import { header } from '#server/upstream/wire.ts';
import type { Exchange } from './line.ts';
import { anybody, openBrowser, type PageRequest } from './page.ts';
import { rehearses } from './rehearsal.ts';
import { tell, type Ledger } from './users.ts';
import { walks, wishes, type Diary } from './walks.ts';
import type { World } from './world.ts';

const isPayment = ({ method, path }: Pick<PageRequest, 'method' | 'path'>): boolean =>
  method === calls.createBatch.method && path === calls.createBatch.path;

/** The users of pages. */
export const names = ['Ann', 'Ben', 'Cem'];
/** The wishes of which a world may be full, so that each journey that writes meets accidents; bank files' above all. */
const themes = [
  'create an organisation',
  'create a company',
  'create an account',
  'create a data set',
  'subscribe by form',
  'subscribe by bank',
  'authorise a subscription',
  'create a debtor',
  'create a creditor',
  'pay electronically',
  'pay by file',
  'pay by file',
  'pay by file',
  '', // any
] as const;
const wishesOfNewcomers = ['set the country', 'create an organisation', 'create an account', 'pay electronically'];

/**
 * Returns the payments of users in the order in which they were answered. The users of one that was not answered when they left
 * last know of no outcome.
 */
export const paymentsOfUsers = (exchanges: readonly Exchange[], users: readonly string[]): Exchange[] =>
  exchanges
    .filter((each) => isPayment(each) && users.includes(each.who))
    .toSorted((one, other) => (one.at < other.at ? -1 : Number(one.at > other.at)));

/** What the console told a page of a payment. */
function tellOf(ledger: Ledger, world: World, { key, body, status, text }: Exchange): void {
  const { externalId } = JSON.parse(body) as BatchRequest; // the page's own
  if (status === 0) return void tell(ledger, world, { key, externalId }, null);
  const isOk = status < 300;
  if (!isOk && !text.startsWith('{')) return; // of a proxy
  const said: unknown = JSON.parse(text);
  tell(
    ledger,
    world,
    { key, externalId },
    isOk ? { ok: true, answer: said as Answer<'createBatch'> } : { ok: false, problem: said as Problem }, // the server's own promise
  );
}

/**
 * Users at browsers of the same company, each with some goals, one after the other. `fromNothing`: there is no company yet,
 * so that they begin where a newcomer does. `hasRehearsal`: one of them rehearses a scenario meanwhile.
 */
export async function peopleUse(
  world: World,
  {
    ledger,
    diary,
    fromNothing,
    hasRehearsal,
  }: { ledger: Ledger; diary: Diary; fromNothing: boolean; hasRehearsal: boolean },
): Promise<void> {
  const { scheduler } = world;
  const onSent = (request: PageRequest) => {
    if (isPayment(request)) ledger.keys.set(request.key, request.companyKey);
  };
  const theme = fromNothing ? '' : scheduler.of('a theme').pick(themes);
  const user = async (name: string) => {
    const choice = scheduler.of(name);
    const browser = openBrowser(world, anybody(name), onSent);
    for (let goals = choice.between(1, 2); goals > 0; goals -= 1) {
      const drawn = choice.pick(fromNothing ? wishesOfNewcomers : wishes);
      const wish = name === names[0] && theme !== '' ? theme : drawn;
      await walks(world, browser, { wish, diary });
      await scheduler.wait(choice.between(1, 30_000));
    }
  };
  const present = names.slice(0, scheduler.of('users').between(1, 3));
  const rehearsal = hasRehearsal ? [rehearses(world, diary, onSent)] : [];
  await Promise.all([...present.map(user), ...rehearsal]);
  for (const each of paymentsOfUsers(world.exchanges, present)) tellOf(ledger, world, each);
}

/** What a decision in each journey makes: the service's operation, by its call of the fault lab. */
const makes: Readonly<Partial<Record<JourneyId, string>>> = {
  organisation: 'createOrganisation',
  company: 'createCompany',
  account: 'createAccount',
  dataset: 'createDataset',
  subscription: 'createSubscription',
  bankSubscription: 'createSubscription',
  debtor: 'debtoraccountputs',
  creditor: 'creditorputs',
  electronicPayment: 'createBatch',
  filePayment: 'createBatch',
};

/**
 * Returns what was made more often than users have decided, a sentence each. `calls`: those since the users began;
 * `others`: the keys under which programs made something.
 */
export function madeTooOften(
  { intended }: Diary,
  calls: readonly RecordedCall[],
  others: ReadonlyMap<string, unknown>,
): string[] {
  return [...new Set(Object.values(makes))].flatMap((operation) => {
    const decisions = [...intended].filter(([journey]) => makes[journey] === operation);
    const allowed = decisions.reduce((sum, [, count]) => sum + count, 0);
    const keys = calls
      .filter((each) => each.operation === operation && each.isDone)
      .map(({ headers }) => headers[header.idempotency] ?? '');
    const made = new Set(keys.filter((key) => !others.has(key)));
    return made.size > allowed ? [`${operation} was done ${made.size} times, for ${allowed} decisions.`] : [];
  });
}
