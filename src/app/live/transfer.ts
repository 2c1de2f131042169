import { transferMachine } from '#machines/transfer.machine.ts';
import { loadFactsOf } from './ports.ts';

export const machine = transferMachine.provide({ actors: { loadFacts: loadFactsOf('transfer') } });
