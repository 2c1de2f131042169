import { runSituation } from './runSituation.ts';

process.exitCode = await runSituation(process.argv.slice(2), {
  print: (text) => process.stdout.write(text),
  complain: (line) => process.stderr.write(`${line}\n`),
});
