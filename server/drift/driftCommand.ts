import { runCommand } from '#server/command.ts';
import { main } from './main.ts';

await runCommand((args, output) => main(args, { env: process.env }, output));
