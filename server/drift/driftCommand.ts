import { reportLostOutput } from '#server/commandOutput.ts';
import { main } from './main.ts';

reportLostOutput();
const status = await main(
  process.argv.slice(2),
  { env: process.env },
  { print: (text) => process.stdout.write(text), complain: (line) => process.stderr.write(`${line}\n`) },
);
process.exitCode = Math.max(status, Number(process.exitCode ?? 0));
