import type { FileFormatDefinition } from '../definition.ts';
import { auFileFormats } from './au.ts';
import { caFileFormats } from './ca.ts';
import { gbFileFormats } from './gb.ts';
import { internationalFileFormats } from './international.ts';
import { usFileFormats } from './us.ts';
import { zaFileFormats } from './za.ts';

export const fileFormats: readonly FileFormatDefinition[] = [
  ...auFileFormats,
  ...caFileFormats,
  ...zaFileFormats,
  ...gbFileFormats,
  ...usFileFormats,
  ...internationalFileFormats,
];
