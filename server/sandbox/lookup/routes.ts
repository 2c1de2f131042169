import Router from '@koa/router';
import type { Context } from 'koa';
import { z } from 'zod';
import { endpoints, header } from '#server/upstream/wire.ts';
import type { Catalogue } from '../catalogue/types.ts';
import { parse, Problem } from '../http/problem.ts';
import { catalogueForCompany } from '../lab/definitionFaults.ts';
import { faultHeaders } from '../records/call.ts';
import type { Callers } from '../onboarding/callers.ts';

const countryQuery = z.object({
  country: z
    .string()
    .regex(/^[A-Z]{2}$/, 'a 2-letter country code such as GB')
    .optional(),
});

/** Identifies the program on the console's health pages (behaviour, section 2). */
const health = (name: string) => ({ version: '3.0.0', branch: 'sandbox', name });

interface Deps {
  catalogue: Catalogue;
  callers: Pick<Callers, 'application' | 'client' | 'company'>;
}

/** Routes for providers, payment types, bank files, banks, translations and health (wire, section 5). */
export function lookupRoutes({ catalogue, callers }: Deps): Router {
  const router = new Router();
  const language = (ctx: Context): string => ctx.get(header.language);

  /** Returns the catalogue as the company of the call's token sees it; the token is optional. */
  async function ofCaller(ctx: Context): Promise<Catalogue> {
    const company = ctx.get('authorization') === '' ? undefined : await callers.company(ctx).catch(() => undefined);
    const { catalogue: own, injected } = catalogueForCompany(catalogue, company?.name);
    if (injected) ctx.set(faultHeaders(injected));
    return own;
  }

  router.get(endpoints.providers, async (ctx) => {
    callers.client(ctx);
    const { country } = parse(ctx, countryQuery, ctx.query);
    ctx.body = { data: (await ofCaller(ctx)).providersFor(country, language(ctx)) };
  });

  router.get(`${endpoints.providers}/:providerId`, async (ctx) => {
    callers.client(ctx);
    const { providerId = '' } = ctx.params;
    const provider = (await ofCaller(ctx)).providerById(providerId, language(ctx));
    if (!provider) throw new Problem(404, `There is no provider ${providerId} in this language`);
    ctx.body = { data: provider };
  });

  router.get(endpoints.localInstruments, (ctx) => {
    callers.client(ctx);
    ctx.body = { data: catalogue.localInstruments(language(ctx)) };
  });

  /** The public page documents this call without an API key (wire, section 2.1). */
  router.get(endpoints.fileFormats, async (ctx) => {
    callers.application(ctx);
    const { country } = parse(ctx, countryQuery, ctx.query);
    ctx.body = { data: (await ofCaller(ctx)).fileFormatsFor(country, language(ctx)) };
  });

  router.get(endpoints.banks, (ctx) => {
    callers.client(ctx);
    ctx.body = catalogue.banks;
  });

  router.get(`${endpoints.translations}/:key`, (ctx) => {
    callers.client(ctx);
    const { key = '' } = ctx.params;
    const translation = catalogue.translation(key, language(ctx));
    if (translation === undefined) throw new Problem(404, `There is no translation of ${key} in this language`);
    ctx.body = { data: { translation } };
  });

  router.get(endpoints.consumerStatus, (ctx) => {
    ctx.body = health('Payments Out Sandbox, consumer API');
  });

  router.get(endpoints.messagingStatus, (ctx) => {
    ctx.body = health('Payments Out Sandbox, consumer messaging API');
  });

  return router;
}
