import { runCommand } from '#server/command.ts';
import { runSituation } from './runSituation.ts';

await runCommand(runSituation);
