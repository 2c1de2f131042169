import { transferMachine } from '#machines/transfer.machine.ts';
import { loadFacts } from './ports.ts';

export const machine = transferMachine.provide({ actors: { loadFacts } });
