import type { CallName } from '#contract/calls.ts';
import type { SandboxMoment } from '#contract/sandboxMoment.ts';
import { keptSettings, situationVersion, type SituationFile } from '#contract/situation.ts';
import type { CompanyContext } from '#server/companies/companyContext.ts';
import { Failure } from '#server/failure.ts';
import { jsonLimits } from '#server/http/json.ts';
import { endedBy, replaceCompanies, requireCompanies, savedCompanies } from '#server/situations/companies.ts';
import { sandboxLock } from '#server/situations/sandboxLock.ts';
import { withServiceKeys } from '#server/situations/payments.ts';
import { withNewKeys, withoutKeys, withoutPlaces, withPlaces } from '#server/situations/keys.ts';
import { harOf } from '#server/timeline/har.ts';
import { version } from '#server/version.ts';
import { serviceKey } from '#server/writes/serviceKey.ts';
import type { Handlers, Input } from './handlers.ts';

/** The entries of the timeline that a file keeps: its latest ones. */
const mostEntries = 200;

function requireSandbox({ config }: CompanyContext): void {
  if (config.upstream.environment === 'live' || !config.upstream.lab)
    throw new Failure('forbidden', 'Only a sandbox has situations, and this console uses a live service.');
}

/** Throws Failure if the sandbox and the companies hold more than can be opened again. */
function requireRoom(saved: object): void {
  const { bytes } = jsonLimits.batch;
  const size = Buffer.byteLength(JSON.stringify(saved));
  if (size > bytes)
    throw new Failure(
      'forbidden',
      `The sandbox and the companies hold ${size} bytes, and a situation at most ${bytes}: empty the sandbox, and repeat what matters.`,
    );
}

/** Throws Failure unless this console can open the file; nothing is changed. */
function requireFile(context: CompanyContext, { console: savedBy, ...file }: SituationFile): void {
  requireSandbox(context);
  if (savedBy !== version)
    throw new Failure(
      'invalid-request',
      `The file was saved by version ${savedBy} of the console, and this one is ${version}: use the same version.`,
    );
  requireCompanies(context, withPlaces(file, context.config.upstream));
}

const momentOf = async ({ upstream }: CompanyContext) =>
  (await upstream.lab('GET', '/situation')) as unknown as SandboxMoment; // as it declares

/**
 * The handlers that save a situation of the sandbox in one file, and open it. `contextIn` opens a company of a workspace by
 * its key, `handlerOf` returns another handler.
 */
export const situationHandlers = (
  handlerOf: <C extends CallName>(name: C) => Handlers[C],
  contextIn: (workspace: string, companyKey: string) => Promise<CompanyContext>,
): Pick<Handlers, 'saveSituation' | 'checkSituation' | 'openSituation'> => {
  /** Sets what the companies share again; returns what could not be set. */
  async function setAgain(
    context: CompanyContext,
    input: Input<'openSituation'>,
    settings: SituationFile['settings'],
  ): Promise<string[]> {
    const notes: string[] = [];
    for (const key of keptSettings) {
      const value = settings[key];
      if (value === '') continue;
      const given = { ...input, body: { key, value }, query: undefined, params: undefined };
      await handlerOf('setSetting')(context, given).catch((error: unknown) => {
        if (!(error instanceof Failure)) throw error;
        notes.push(`${key}: ${error.problem.detail ?? error.problem.title}`);
      });
    }
    return notes;
  }

  async function open(context: CompanyContext, input: Input<'openSituation'>, lost: AbortSignal) {
    const { upstream, config, store } = context;
    const { keys, step, settings, current, ...file } = input.body;
    const companyKeys = file.companies.map(() => store.companies.make());
    const saved = { sandbox: file.sandbox, companies: file.companies };
    const { sandbox, companies } = companyKeys.reduce(
      (value, companyKey, index) =>
        withServiceKeys(value, file.companies[index]!.payments, (key) =>
          // as many
          serviceKey({ workspace: store.workspace, companyKey }, key),
        ),
      withPlaces(withNewKeys(saved, keys), config.upstream),
    );
    const ended = await endedBy(context, companies);
    const { snapshotId } = (await upstream.lab('POST', '/snapshots')) as { snapshotId: string }; // as it declares
    lost.throwIfAborted();
    const notes: string[] = [];
    try {
      await upstream.lab('PUT', '/situation', sandbox);
      const chosen = companies[current];
      if (chosen) {
        const { organisationId, companyId, signingKey } = chosen;
        await upstream.freshToken({ organisationId, signingKey, ...(companyId && { companyId }) });
      }
      const openedIn = (companyKey: string) => contextIn(store.workspace, companyKey);
      notes.push(...(await replaceCompanies(context, { companies, current }, { companyKeys, contextIn: openedIn })));
    } catch (error) {
      // Its records cannot be used: neither they nor the companies are kept.
      await upstream.lab('POST', `/snapshots/${snapshotId}/restore`);
      throw error;
    }
    const companyKey = await store.companies.current();
    input.switchCompany(companyKey);
    notes.push(...(await setAgain(await contextIn(store.workspace, companyKey), input, settings)));
    return { data: { step, ended, notes } };
  }

  return {
    async saveSituation(context, { query: { step = '/' }, origin }) {
      requireSandbox(context);
      const { timeline, store, clock, config } = context;
      return store.withLock(sandboxLock, async () => {
        // First, so that the console knows each payment in it, also one that is made meanwhile.
        const sandbox = await momentOf(context);
        const openedIn = (companyKey: string) => contextIn(store.workspace, companyKey);
        const { companies, current } = await savedCompanies(context, sandbox, openedIn);
        const view = await handlerOf('getSettings')(context, { query: {} } as Input<'getSettings'>); // reads no more
        const settings = Object.fromEntries(keptSettings.map((key) => [key, view[key]])) as SituationFile['settings']; // of these keys
        const entries = (await timeline.list()).slice(-mostEntries);
        const { value, keys } = withoutKeys({ sandbox, companies, timeline: harOf(entries, origin(), version) });
        requireRoom({ sandbox: value.sandbox, companies: value.companies });
        const savedAt = new Date(clock.now()).toISOString();
        return {
          kind: 'payments-out-situation',
          version: situationVersion,
          console: version,
          savedAt,
          step,
          keys,
          ...withoutPlaces(value, config.upstream),
          current,
          settings,
        };
      });
    },
    async checkSituation(context, { body }) {
      requireFile(context, body);
      const opens = body.companies.map(({ organisationId, companyId, companyName }) => ({
        organisationId,
        companyId,
        companyName,
      }));
      return { data: { savedAt: body.savedAt, opens, ends: await endedBy(context, opens) } };
    },
    openSituation(context, input) {
      requireFile(context, input.body);
      return context.store.withLock(sandboxLock, (lost) => open(context, input, lost));
    },
  };
};
