import type { JourneyId } from '#machines/journeys.ts';
import type { RecordedApplication, RecordedWebhook } from '#server/sandbox/recorded.ts';
import type { SeenSuccess } from './walks.ts';

/** What a journey says to have made: the operation that gave its id, by the member of the result that holds it. */
const made: Readonly<Partial<Record<JourneyId, readonly [operation: string, member: string]>>> = {
  organisation: ['createOrganisation', 'organisationId'],
  company: ['createCompany', 'companyId'],
  account: ['createAccount', 'accountId'],
  dataset: ['createDataset', 'dataSetId'],
  subscription: ['createSubscription', 'subscriptionId'],
  bankSubscription: ['createSubscription', 'subscriptionId'],
};
const pays: readonly JourneyId[] = ['electronicPayment', 'filePayment'];
/** The webhook by which a provider accepts a party. */
const accepted: Readonly<Partial<Record<JourneyId, string>>> = {
  debtor: 'debtoraccountputs',
  creditor: 'creditorputs',
};

const hasAccepted = ({ deliveries }: RecordedWebhook, type: string, messageId: string): boolean =>
  deliveries.some(({ body }) => {
    const said = JSON.parse(body) as { type: string; data: { status: string } }; // the sandbox's own
    return said.type === type && said.data.status === 'Accepted' && body.includes(messageId);
  });

/**
 * Returns the successes that pages have told although the service has not done what they name, a sentence each: made an
 * organisation, a company, an account, a data set or a subscription, taken a payment, or accepted a party.
 */
export function wrongSuccesses(
  seen: readonly SeenSuccess[],
  { calls, webhooks, batches }: Pick<RecordedApplication, 'calls' | 'webhooks' | 'batches'>,
): string[] {
  return seen.flatMap(({ by, journey, result }) => {
    const members = (result ?? {}) as Record<string, unknown>; // a journey's result
    /** The member's text; one that is missing is found nowhere. */
    const text = (member: string): string => (typeof members[member] === 'string' ? members[member] : '\0');
    const [operation, member] = made[journey] ?? [];
    const type = accepted[journey];
    const isTrue =
      operation !== undefined && member !== undefined
        ? calls.some((each) => each.operation === operation && each.isDone && each.response.body.includes(text(member)))
        : pays.includes(journey)
          ? batches.some(({ batchId }) => batchId === text('batchId'))
          : type === undefined || webhooks.some((each) => hasAccepted(each, type, text('messageId')));
    return isTrue
      ? []
      : [`${by.name} was told that ${journey} has succeeded: ${JSON.stringify(result)}, which is not so.`];
  });
}
