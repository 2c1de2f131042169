import { readFileSync, writeFileSync } from 'node:fs';
import { lowered, sizes } from './roomSizes.ts';

const table = 'tests/architecture/rooms.ts';
writeFileSync(table, lowered(readFileSync(table, 'utf8'), sizes()));
