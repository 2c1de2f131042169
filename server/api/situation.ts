import type { CallName } from '#contract/calls.ts';
import { keptSettings, situationVersion, type SandboxMoment, type SituationFile } from '#contract/situation.ts';
import type { CompanyContext } from '#server/companies/companyContext.ts';
import { storedSettingsOf } from '#server/companies/settings.ts';
import { Failure } from '#server/failure.ts';
import { jsonLimits } from '#server/http/json.ts';
import { withNewKeys, withoutKeys } from '#server/situations/keys.ts';
import { harOf } from '#server/timeline/har.ts';
import { version } from '#server/version.ts';
import type { Handlers, Input } from './handlers.ts';
import { settingsHandlers } from './settings.ts';

/** The entries of the timeline that a file keeps: its latest ones. */
const mostEntries = 200;

function requireSandbox({ config }: CompanyContext): void {
  if (config.upstream.environment === 'live' || !config.upstream.lab)
    throw new Failure('forbidden', 'A situation is one of a sandbox, and this console uses a live service.');
}

/** Throws Failure if the sandbox holds more than can be opened again. */
function requireRoom(sandbox: SandboxMoment): void {
  const { bytes } = jsonLimits.batch;
  const size = Buffer.byteLength(JSON.stringify(sandbox));
  if (size > bytes)
    throw new Failure(
      'forbidden',
      `The sandbox holds ${size} bytes, and a situation at most ${bytes}: empty it, and repeat what matters.`,
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
    const { store, timeline, upstream, clock } = context;
    const stored = await storedSettingsOf(store);
    const view = await handlerOf('getSettings')(context, { query: { lists: 'whole' } } as Input<'getSettings'>); // reads no more
    const sandbox = (await upstream.lab('GET', '/situation')) as unknown as SandboxMoment; // as it declares
    const entries = (await timeline.list()).slice(-mostEntries);
    const { value, keys } = withoutKeys({
      sandbox,
      company: {
        organisationId: stored.organisationId,
        companyId: stored.companyId,
        signingKey: stored.companySigningKey,
        settings: Object.fromEntries(
          keptSettings.map((key) => [key, view[key]]),
        ) as SituationFile['company']['settings'], // of these keys
      },
      timeline: harOf(entries, origin(), version),
    });
    requireRoom(value.sandbox);
    const savedAt = new Date(clock.now()).toISOString();
    return {
      ...{ kind: 'payments-out-situation', version: situationVersion, console: version, savedAt, step, keys },
      address: context.config.upstream.baseUrl,
      ...(JSON.parse(JSON.stringify(value)) as typeof value),
    };
  },
  async openSituation(context, input) {
    requireSandbox(context);
    const { body } = input;
    if (body.console !== version)
      throw new Failure(
        'invalid-request',
        `The file was saved by version ${body.console} of the console, and this one is ${version}: use the same version.`,
      );
    const { sandbox, company, keys, address: from, step } = body;
    const file = withNewKeys({ sandbox, company }, keys, { from, to: context.config.upstream.baseUrl });
    const { organisationId, companyId, signingKey } = file.company;
    const existing = { ...input, body: { organisationId, companyId, signingKey }, query: undefined, params: undefined };
    let { scope } = context;
    const before = await context.upstream.lab('GET', '/situation');
    try {
      await context.upstream.lab('PUT', '/situation', file.sandbox);
      if (organisationId === '') return { data: { step, notes: [] } };
      await handlerOf('useExisting')(context, {
        ...existing,
        switchCompany: (to: string) => {
          scope = to;
          input.switchCompany(to);
        },
      }); // of its own body
    } catch (error) {
      // The file's company is not in its sandbox, or its records cannot be read: neither is kept.
      await context.upstream.lab('PUT', '/situation', before);
      throw error;
    }
    const opened = await contextIn(context.store.workspace, scope);
    return { data: { step, notes: await setAgain(opened, input, file.company.settings) } };
  },
});
