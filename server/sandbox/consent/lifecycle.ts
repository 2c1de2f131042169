import Router from '@koa/router';
import { z } from 'zod';
import { html } from '#server/http/html.ts';
import type { JsonObject } from '#contract/json.ts';
import { failures, sendPage } from '../pages/html.ts';
import { firstAfter, secondAfter } from '../lab/decisions.ts';
import { markOf, type Mark } from '../lab/faults.ts';
import { namedFault } from '../lab/magicValues.ts';
import { parse, Problem } from '../http/problem.ts';
import type { Services } from '../services.ts';

/** The object of a consent: the put of a debtor or creditor, or a batch. */
export type ConsentTask =
  | {
      kind: 'party';
      party: 'debtor' | 'creditor';
      /** The webhook that answers the put, without its data. */
      answer: { type: string; subscriptionId: string; interactionId: string; resource: { id: string; type: string } };
      idKey: 'debtorId' | 'creditorId';
      data: JsonObject;
    }
  | { kind: 'batch'; batchId: string };

export interface Consent {
  consentId: string;
  task: ConsentTask;
  /** Describes the object on the page. */
  what: string;
  /** ms since the epoch. */
  issuedAt: number;
  expiresAt: number;
  /** Absent until the user has decided. */
  status?: string;
}

const decisions = { approve: 'Authorised', reject: 'Rejected', cancel: 'Cancelled', expire: 'Expired' } as const;
/** `Revoked`: cancelled after it was authorised. */
export type Decision = (typeof decisions)[keyof typeof decisions] | 'Revoked';
const form = z.object({ decision: z.enum(['approve', 'reject', 'cancel', 'expire']) });

type Decided = {
  [Kind in ConsentTask['kind']]?: (
    task: Extract<ConsentTask, { kind: Kind }>,
    status: Decision,
    mark?: Mark,
  ) => Promise<void>;
};

type Life = Pick<Services, 'config' | 'credentials' | 'clock' | 'storage' | 'transaction' | 'schedule' | 'faults'>;

/** Consents that users give on the provider's page to everything but subscriptions. */
export function createConsents({ config, credentials, clock, storage, transaction, schedule, faults }: Life) {
  const decided: Decided = {};
  const pathOf = (consentId: string) => `/provider/consents/${consentId}`;
  const isOpen = ({ status, expiresAt }: Consent) => status === undefined && expiresAt > clock.now();

  async function decide(consent: Consent, status: Decision, mark?: Mark): Promise<void> {
    await storage.save('consent', consent.consentId, { ...consent, status });
    if (consent.task.kind === 'party') await decided.party?.(consent.task, status, mark);
    else await decided.batch?.(consent.task, status, mark);
  }

  schedule.on('consentDecision', async ({ consentId, fault, mark }, attempt) => {
    const consent = await storage.find('consent', consentId);
    if (!consent) return undefined;
    const { kind } = fault;
    if (attempt === 1) {
      await decide(consent, kind === 'approveThenRevoke' ? 'Revoked' : 'Authorised', mark);
      return undefined;
    }
    if (!isOpen(consent)) return undefined; // the user has decided before
    const isTwofold = kind === 'approveTwice' || kind === 'approveThenRevoke';
    await decide(consent, isTwofold ? 'Authorised' : decisions[kind], mark);
    return isTwofold ? secondAfter(fault) : undefined;
  });

  function routes(): Router {
    const router = new Router();
    const find = async (consentId = ''): Promise<Consent> => {
      const consent = await storage.find('consent', consentId);
      if (!consent) throw new Problem(404, `There is nothing to authorise under ${consentId}`);
      return consent;
    };
    router.get(pathOf(':consentId'), async (ctx) => {
      const consent = await find(ctx.params['consentId']);
      const { what, status } = consent;
      const content = isOpen(consent)
        ? html`<p>A company asks you to authorise ${what}.</p>
            <form method="post">
              <button class="primary" name="decision" value="approve">Approve</button>
              ${failures('Other answers a provider may give, to see how the console handles them.', [
                html`<button name="decision" value="reject">Reject</button>`,
                html`<button name="decision" value="cancel">Cancel</button>`,
                html`<button name="decision" value="expire">Let it expire</button>`,
              ])}
            </form>`
        : html`<p role="status">
            ${status === undefined ? 'This link has expired.' : `It is ${status}: ${what}.`} Nothing is left to do here.
          </p>`;
      sendPage(ctx, 200, 'Authorise', content);
    });
    router.post(pathOf(':consentId'), async (ctx) => {
      const { decision } = parse(form, ctx.request.body);
      await transaction(async () => {
        const consent = await find(ctx.params['consentId']);
        if (isOpen(consent)) await decide(consent, decisions[decision]);
      });
      // The redirect prevents a reload from sending the decision again.
      ctx.redirect(credentials.path + ctx.path);
      ctx.status = 303;
    });
    return router;
  }

  return {
    routes,
    /** Registers the handler of decisions about one kind of task. */
    on<Kind extends ConsentTask['kind']>(kind: Kind, run: NonNullable<Decided[Kind]>): void {
      Object.assign(decided, { [kind]: run });
    },
    /**
     * Lets the fault lab decide about a consent, if a fault is set for this kind of object, or one of these names
     * causes a fault.
     */
    async decideAlone(consentId: string, of: 'debtor' | 'creditor' | 'batch', names: readonly string[]): Promise<void> {
      const rule = await faults.take('authorisation', of);
      const decided = rule ? { fault: rule.fault, mark: markOf(rule) } : namedFault('authorisation', names);
      if (decided) await schedule.add('consentDecision', { consentId, ...decided }, firstAfter(decided.fault));
    },
    /** Requests a consent and resolves with its links; a further request with the same id renews them. */
    async ask(consentId: string, task: ConsentTask, what: string) {
      const issuedAt = clock.now();
      const expiresAt = issuedAt + config.authoriseLinkLife;
      await storage.save('consent', consentId, { consentId, task, what, issuedAt, expiresAt });
      return {
        authorise: config.publicUrl + pathOf(consentId),
        authoriseIssuedAt: new Date(issuedAt).toISOString(),
        authoriseExpiresAt: new Date(expiresAt).toISOString(),
      };
    },
  };
}

export type Consents = ReturnType<typeof createConsents>;
