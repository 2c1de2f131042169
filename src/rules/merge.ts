import type { LocalInstrument, Provider, Rule } from '#contract/lookup.ts';
import { validationOf } from './field.ts';

/**
 * The full rule set of a provider: its own rules and those of each local instrument that it lists, matched by id. If
 * several have the same apiPath and jsonPath, the provider's rule wins, then that of the local instrument listed first
 * (wire, section 8).
 */
export function allRules(
  provider: Provider,
  instruments: readonly { localInstrumentId: string; validationRules: readonly Rule[] }[],
): Rule[] {
  const ofInstruments = (provider.localInstruments ?? []).flatMap(
    (id) => instruments.find(({ localInstrumentId }) => localInstrumentId === id)?.validationRules ?? [],
  );
  const byPlace = new Map<string, Rule>();
  for (const rule of [...provider.accountType.validationRules, ...ofInstruments]) {
    const validation = validationOf(rule);
    const place = `${validation?.apiPath} ${validation?.jsonPath}`;
    if (!byPlace.has(place)) byPlace.set(place, rule);
  }
  return [...byPlace.values()];
}

/** The name of the local instrument by which a provider pays: its default, or its only one; '' if that is not known. */
export function instrumentOf(
  provider: Provider | undefined,
  instruments: readonly Pick<LocalInstrument, 'localInstrumentId' | 'name'>[],
): string {
  const { localInstruments: [only = '', ...others] = [], defaultLocalInstrument } = provider ?? {};
  const id = defaultLocalInstrument ?? (others.length === 0 ? only : '');
  return instruments.find(({ localInstrumentId }) => localInstrumentId === id)?.name || id;
}
