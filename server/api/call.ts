import { othersTurn } from '#server/concurrency.ts';
import { calls, type CallFacts, type CallName } from '#contract/calls.ts';
import type { Answer } from '#contract/shapes.ts';
import type { CallContext, User } from '#server/calls/callContext.ts';
import { fingerprintInTurns } from '#server/calls/fingerprint.ts';
import type { CompanyContext } from '#server/companies/companyContext.ts';
import { firstCompany } from '#server/companies/companyList.ts';
import type { Write as Row } from '#server/storage/writes.ts';
import { keyTtlOf } from '#server/upstream/wire.ts';
import type { createJournal } from '#server/writes/journal.ts';
import { payerOf } from '#server/writes/invoices.ts';
import { serviceKey } from '#server/writes/serviceKey.ts';
import { declaredAnswer, declaredInput, requireIdempotencyKey } from '#server/http/declaration.ts';
import type { Handler, Handlers, Input, Tell, WriteName, WriteOf } from './handlers.ts';

/** A call as it came, unchecked. */
interface Asked extends Pick<Input<CallName>, 'origin' | 'ofPage' | 'switchCompany' | 'givenKey'> {
  params: unknown;
  query: unknown;
  body: unknown;
  user: User;
  /** Returns stored answers only: a write whose first answer is no longer stored rejects with `outcome-unknown`, and is not sent. */
  replayOnly: boolean;
}

/** `replayed`: the answer is that of an earlier, identical request. */
interface Carried {
  answer: unknown;
  replayed: boolean;
}

export const callFactsOf = (name: CallName): CallFacts => calls[name];

/** Returns the key of the company to which a write's idempotency key belongs: the first company of those that share it. */
async function companyOfKey(name: CallName, { companyKey, store }: CompanyContext): Promise<string> {
  const { keyOf } = callFactsOf(name);
  if (keyOf === 'workspace') return firstCompany;
  const companies = keyOf === 'organisation' ? await store.companies.list() : [];
  const own = companies.find((each) => each.companyKey === companyKey);
  const firstOfOrganisation = own && companies.find(({ organisationId }) => organisationId === own.organisationId);
  return firstOfOrganisation?.companyKey ?? companyKey;
}

/** Returns the tag of whom a write is made for at the service; '' for nobody, as an organisation that is created. */
function ownerOf(name: CallName, { settings, store, config }: CompanyContext): string {
  const { keyOf } = callFactsOf(name);
  if (keyOf === 'workspace' || settings.organisationId === '') return '';
  const companyId = keyOf === 'organisation' ? '' : settings.companyId;
  return payerOf(store.tag, config.upstream.applicationId, settings.organisationId, companyId);
}

/** Returns the write that was claimed under a key; undefined if nobody has claimed it. */
export const writeUnder = async (name: CallName, company: CompanyContext, key: string): Promise<Row | undefined> =>
  company.store.writes.find({ workspace: company.store.workspace, companyKey: await companyOfKey(name, company) }, key);

/**
 * Makes the function that carries out calls for a company: it checks input and answer by the call's declaration, and runs a
 * write once per idempotency key and company. `handlerOf` returns the handler of a call; `told` is what
 * callers of some writes are told besides their answers.
 */
export const createCaller =
  (
    journal: ReturnType<typeof createJournal>,
    handlerOf: (name: CallName) => Handlers[CallName],
    told: { readonly [C in CallName]?: Tell<C> },
  ) =>
  async (
    name: CallName,
    company: CompanyContext,
    call: CallContext,
    { givenKey, replayOnly, ...asked }: Asked,
  ): Promise<Carried> => {
    const { store } = company;
    // A large body takes long to parse, to check, to compare and to identify, and a file stores without yielding.
    const isWrite = callFactsOf(name).write;
    if (isWrite) await othersTurn();
    const input = {
      ...asked,
      ...declaredInput(name, asked),
      givenKey,
      repeat: async ({ call: write, key, fingerprint }: Row, first: unknown) =>
        void (await run(write as WriteName, key, { ...input, body: first, query: {} }, fingerprint)), // as it was claimed
    };

    async function run(write: WriteName, key: string, given: typeof input, print?: string): Promise<Carried> {
      await othersTurn();
      const at = { workspace: store.workspace, companyKey: await companyOfKey(write, company), key };
      // The key is also the interaction id, so that all repeats of a write have the same one.
      const sent = serviceKey(at, key);
      call.interactionId = sent;
      const fingerprint = print ?? store.tag('fingerprint', await fingerprintInTurns(write, given.body));
      await othersTurn();
      const carried = await journal.run(company, handlerOf(write) as WriteOf<CallName>, {
        ...at,
        call: write,
        owner: ownerOf(write, company),
        fingerprint,
        serviceKey: sent,
        attempt: call.attempt,
        replayOnly,
        input: { ...given, key: sent } as Input<CallName>, // checked by the call's declaration
        keyTtl: keyTtlOf(given.body),
      });
      if (carried.replayed && callFactsOf(write).keyOf) input.switchCompany(await store.companies.current());
      return carried;
    }

    const handler = handlerOf(name);
    if (typeof handler === 'function') {
      const handle = handler as Handler<CallName>; // checks its input by the call's declaration
      const answer = await handle(company, { ...input, key: call.interactionId } as Input<CallName>); // likewise
      return { answer: declaredAnswer(name, answer), replayed: false };
    }
    const key = isWrite ? requireIdempotencyKey(givenKey) : company.newId();
    const carried = await run(name as WriteName, key, input);
    const tell = told[name] as Tell<CallName> | undefined; // of this call, as input and answer are
    if (!tell) return carried;
    const answer = await tell(company, input as Input<CallName>, carried.answer as Answer<CallName>);
    return { ...carried, answer };
  };

export type CarryOut = ReturnType<typeof createCaller>;
