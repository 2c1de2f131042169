/** Writes src/contract/currencies.ts anew from ISO 4217 (npm run currencies). */
import { writeFileSync } from 'node:fs';
import { currenciesFile, currenciesPath } from './currencies/file.ts';

writeFileSync(currenciesPath, currenciesFile());
console.log(currenciesPath);
