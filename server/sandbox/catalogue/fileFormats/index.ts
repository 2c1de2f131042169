import type { FileFormatDefinition } from '../definition.ts';
import { auFileFormats } from './au.ts';
import { caFileFormats } from './ca.ts';
import { frFileFormats } from './fr.ts';
import { gbFileFormats } from './gb.ts';
import { usFileFormats } from './us.ts';
import { zaFileFormats } from './za.ts';

export const fileFormats: readonly FileFormatDefinition[] = [
  ...auFileFormats,
  ...caFileFormats,
  ...frFileFormats,
  ...zaFileFormats,
  ...gbFileFormats,
  ...usFileFormats,
];
