import { reportLostOutput } from '#server/commandOutput.ts';
import { runSituation } from './runSituation.ts';

reportLostOutput();
process.exitCode = await runSituation(process.argv.slice(2), {
  print: (text) => process.stdout.write(text),
  complain: (line) => process.stderr.write(`${line}\n`),
});
