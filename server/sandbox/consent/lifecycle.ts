import type { Clock } from '#server/clock.ts';
import type { SandboxConfig } from '../config.ts';
import type { Faults } from '../faults/faults.ts';
import { createLabDecision, type Decision } from '../faults/labDecision.ts';
import type { InjectedFault } from '../records/call.ts';
import type { Jobs } from '../store/jobs.ts';
import type { Collections } from '../store/tenantStore.ts';
import { consentRecords, type Consent, type ConsentTask } from './records.ts';

/** The handlers of decisions, by kind of task. */
type DecisionHandlers = {
  [Kind in ConsentTask['kind']]?: (
    task: Extract<ConsentTask, { kind: Kind }>,
    status: Decision,
    injected?: InjectedFault,
  ) => Promise<void>;
};

/** The path of a consent's page below the provider's URL. */
export const consentPath = (consentId: string): string => `/provider/consents/${consentId}`;

interface Deps {
  config: Pick<SandboxConfig, 'publicUrl' | 'authoriseLinkLife'>;
  clock: Pick<Clock, 'now'>;
  store: Collections;
  jobs: Pick<Jobs, 'define'>;
  faults: Pick<Faults, 'take'>;
}

/** Consents that users give on the provider's page to everything but subscriptions. */
export function createConsents({ config, clock, store, jobs, faults }: Deps) {
  const consents = consentRecords(store);
  const handlers: DecisionHandlers = {};
  const isOpen = ({ status, expiresAt }: Consent) => status === undefined && expiresAt > clock.now();

  async function decide(consent: Consent, status: Decision, injected?: InjectedFault): Promise<void> {
    await consents.save(consent.consentId, { ...consent, status });
    if (consent.task.kind === 'party') await handlers.party?.(consent.task, status, injected);
    else await handlers.batch?.(consent.task, status, injected);
  }

  const decideLater = createLabDecision<{ consentId: string }>(
    jobs,
    'consentDecision',
    async ({ consentId }, decision, { isSecond, injected }) => {
      const consent = await consents.find(consentId);
      if (!consent || !(isSecond || isOpen(consent))) return false;
      await decide(consent, decision, injected);
      return true;
    },
  );

  return {
    find: consents.find,
    isOpen,
    /** Stores a decision and carries it out, within the transaction in which the consent was read. */
    decide,
    /** Registers the handler of decisions about one kind of task. */
    on<Kind extends ConsentTask['kind']>(kind: Kind, handler: NonNullable<DecisionHandlers[Kind]>): void {
      Object.assign(handlers, { [kind]: handler });
    },
    /**
     * Lets the fault lab decide about a consent, if a fault is set for this kind of object, or one of these names
     * causes a fault.
     */
    async decideByLab(consentId: string, of: 'debtor' | 'creditor' | 'batch', names: readonly string[]): Promise<void> {
      const active = await faults.take('authorisation', of, names);
      if (active) await decideLater({ consentId }, active);
    },
    /** Requests a consent and resolves with its links; a further request with the same id renews them. */
    async ask({
      consentId,
      companyId,
      task,
      what,
    }: Required<Pick<Consent, 'consentId' | 'companyId' | 'task' | 'what'>>) {
      const issuedAt = clock.now();
      const expiresAt = issuedAt + config.authoriseLinkLife;
      await consents.save(consentId, { consentId, companyId, task, what, issuedAt, expiresAt });
      return {
        authorise: config.publicUrl + consentPath(consentId),
        authoriseIssuedAt: new Date(issuedAt).toISOString(),
        authoriseExpiresAt: new Date(expiresAt).toISOString(),
      };
    },
  };
}

export type Consents = ReturnType<typeof createConsents>;
