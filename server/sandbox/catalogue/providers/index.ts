import type { ProviderDefinition } from '../definition.ts';
import { auProviders } from './au.ts';
import { caProviders } from './ca.ts';
import { gbProviders } from './gb.ts';
import { specialProviders } from './gbSpecial.ts';
import { usProviders } from './us.ts';

export const providers: readonly ProviderDefinition[] = [
  ...gbProviders,
  ...specialProviders,
  ...usProviders,
  ...caProviders,
  ...auProviders,
];
