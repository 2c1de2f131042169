import type { Context } from 'koa';
import { header } from '#server/upstream/wire.ts';
import type { Catalogue } from '../catalogue/types.ts';
import { Problem } from '../http/problem.ts';
import type { Handlers } from '../http/serviceRoutes.ts';
import { catalogueForCompany } from '../faults/definitionFaults.ts';
import { faultHeaders } from '../records/call.ts';
import type { Callers } from '../onboarding/callers.ts';

/** Identifies the program on the console's health pages (behaviour, section 2). */
const health = (name: string) => ({ version: '3.0.0', branch: 'sandbox', name });

const language = (ctx: Context): string => ctx.get(header.language);

/** Providers, payment types, bank files, banks, translations and health (wire, section 5). */
export function lookupHandlers({ catalogue, callers }: { catalogue: Catalogue; callers: Pick<Callers, 'payer'> }) {
  /** Returns the catalogue as the company of the call's token sees it; the token is optional. */
  async function ofCaller(ctx: Context): Promise<Catalogue> {
    const company =
      ctx.get('authorization') === '' ? undefined : await Promise.resolve(callers.payer(ctx)).catch(() => undefined);
    const { catalogue: own, injected } = catalogueForCompany(catalogue, company?.name);
    if (injected) ctx.set(faultHeaders(injected));
    return own;
  }

  return {
    providers: async ({ ctx, query: { country } }) => ({
      data: (await ofCaller(ctx)).providersFor(country, language(ctx)),
    }),

    async provider({ ctx, id }) {
      const providerId = id('providerId');
      const provider = (await ofCaller(ctx)).providerById(providerId, language(ctx));
      if (!provider) throw new Problem(404, `There is no provider ${providerId} in this language`);
      return { data: provider };
    },

    localInstruments: ({ ctx }) => ({ data: catalogue.localInstruments(language(ctx)) }),

    fileFormats: async ({ ctx, query: { country } }) => ({
      data: (await ofCaller(ctx)).fileFormatsFor(country, language(ctx)),
    }),

    banks: () => catalogue.banks,

    translation({ ctx, id }) {
      const translation = catalogue.translation(id('key'), language(ctx));
      if (translation === undefined) throw new Problem(404, `There is no translation of ${id('key')} in this language`);
      return { data: { translation } };
    },

    consumerStatus: () => health('Payments Out Sandbox, consumer API'),
    messagingStatus: () => health('Payments Out Sandbox, consumer messaging API'),
  } satisfies Partial<Handlers>;
}
