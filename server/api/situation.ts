import type { CallName } from '#contract/calls.ts';
import type { SandboxMoment } from '#contract/sandboxMoment.ts';
import { keptSettings, situationVersion, type SituationFile } from '#contract/situation.ts';
import type { CompanyContext } from '#server/companies/companyContext.ts';
import { Failure } from '#server/failure.ts';
import { jsonLimits } from '#server/http/json.ts';
import { savedCompanyOf, replaceCompany, requireCompany } from '#server/situations/company.ts';
import { withServiceKeys } from '#server/situations/payments.ts';
import { withNewKeys, withoutKeys, withoutPlaces, withPlaces } from '#server/situations/keys.ts';
import { harOf } from '#server/timeline/har.ts';
import { version } from '#server/version.ts';
import { serviceKey } from './call.ts';
import type { Handlers, Input } from './handlers.ts';
import { settingsHandlers } from './settings.ts';

/** The entries of the timeline that a file keeps: its latest ones. */
const mostEntries = 200;

function requireSandbox({ config }: CompanyContext): void {
  if (config.upstream.environment === 'live' || !config.upstream.lab)
    throw new Failure('forbidden', 'Only a sandbox has situations, and this console uses a live service.');
}

/** Throws Failure if the sandbox and the company hold more than can be opened again. */
function requireRoom(saved: object): void {
  const { bytes } = jsonLimits.batch;
  const size = Buffer.byteLength(JSON.stringify(saved));
  if (size > bytes)
    throw new Failure(
      'forbidden',
      `The sandbox and the company hold ${size} bytes, and a situation at most ${bytes}: empty the sandbox, and repeat what matters.`,
    );
}

/** Sets what the file keeps of the company again; returns what could not be set. */
async function setAgain(
  context: CompanyContext,
  input: Input<'openSituation'>,
  settings: SituationFile['company']['settings'],
): Promise<string[]> {
  const notes: string[] = [];
  for (const key of keptSettings) {
    const value = settings[key];
    if (value === '' || value === '[]') continue;
    await settingsHandlers
      .setSetting(context, { ...input, body: { key, value }, query: undefined, params: undefined })
      .catch((error: unknown) => {
        if (!(error instanceof Failure)) throw error;
        notes.push(`${key}: ${error.problem.detail ?? error.problem.title}`);
      });
  }
  return notes;
}

/**
 * The handlers that save a situation of the sandbox in one file, and open it. `contextIn` opens a company of a workspace by
 * its scope, `handlerOf` returns another handler.
 */
export const situationHandlers = (
  handlerOf: <C extends CallName>(name: C) => Handlers[C],
  contextIn: (workspace: string, scope: string) => Promise<CompanyContext>,
): Pick<Handlers, 'saveSituation' | 'openSituation'> => ({
  async saveSituation(context, { query: { step = '/' }, origin }) {
    requireSandbox(context);
    const { timeline, upstream, clock, config } = context;
    // First, so that the company knows each of its payments, also one that is made meanwhile.
    const sandbox = (await upstream.lab('GET', '/situation')) as unknown as SandboxMoment; // as it declares
    const view = await handlerOf('getSettings')(context, { query: { lists: 'whole' } } as Input<'getSettings'>); // reads no more
    const company = await savedCompanyOf(context, view);
    const entries = (await timeline.list()).slice(-mostEntries);
    const { value, keys } = withoutKeys({ sandbox, company, timeline: harOf(entries, origin(), version) });
    requireRoom({ sandbox: value.sandbox, company: value.company });
    const savedAt = new Date(clock.now()).toISOString();
    return {
      ...{ kind: 'payments-out-situation', version: situationVersion, console: version, savedAt, step, keys },
      ...withoutPlaces(value, config.upstream),
    };
  },
  async openSituation(context, input) {
    requireSandbox(context);
    const { upstream, config, store } = context;
    const { body } = input;
    if (body.console !== version)
      throw new Failure(
        'invalid-request',
        `The file was saved by version ${body.console} of the console, and this one is ${version}: use the same version.`,
      );
    const { keys, step } = body;
    const at = { workspace: store.workspace, companyKey: store.scopes.make() };
    const own = withPlaces(withNewKeys({ sandbox: body.sandbox, company: body.company }, keys), config.upstream);
    const { sandbox, company } = withServiceKeys(own, own.company.payments, (key) => serviceKey(at, key));
    requireCompany(sandbox, company);
    const before = (await upstream.lab('GET', '/situation')) as unknown as SandboxMoment; // as it declares
    const { snapshotId } = (await upstream.lab('POST', '/snapshots')) as { snapshotId: string }; // as it declares
    try {
      await upstream.lab('PUT', '/situation', sandbox);
      const { organisationId, companyId, signingKey } = company;
      if (organisationId === '') return { data: { step, notes: [] } };
      await upstream.freshToken({ organisationId, signingKey, ...(companyId && { companyId }) });
      const openedAt = () => contextIn(at.workspace, at.companyKey);
      const notes = await replaceCompany(context, company, { scope: at.companyKey, before, contextIn: openedAt });
      input.switchCompany(at.companyKey);
      const opened = await openedAt();
      return { data: { step, notes: [...notes, ...(await setAgain(opened, input, company.settings))] } };
    } catch (error) {
      // Its records cannot be used: neither they nor the company are kept.
      await upstream.lab('POST', `/snapshots/${snapshotId}/restore`);
      throw error;
    }
  },
});
