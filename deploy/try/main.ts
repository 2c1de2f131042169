/**
 * Runs the set-up of compose.yaml on this machine without a container engine: two consoles on one PostgreSQL, a sandbox, an
 * OpenID Connect provider and nginx with a certificate of a private authority. On Ctrl+C it ends them and removes their data.
 */
import { ready } from '../../scripts/ready.mjs';
import { startSetup } from './setup.ts';

await ready();
if (process.getuid?.() === 0)
  process.stderr.write(
    'PostgreSQL does not run as root: it runs as the user postgres, who is added to this machine if missing.\n',
  );
const ended = new Promise<void>((resolve) => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve());
});
const setup = await startSetup({ say: (line) => process.stderr.write(`${line}\n`) });
process.stdout.write(`Console:   ${setup.publicUrl}, sign in by any name and any password
Provider:  ${setup.issuer}, which gives each name an address at example.com
Consoles:  ${setup.consoles.map(({ url }) => url).join(' and ')}, behind nginx
Authority: ${setup.authority}, for curl --cacert and NODE_EXTRA_CA_CERTS
Variables: ${setup.variables}, for the operator's commands:
           set -a; . ${setup.variables}; set +a; npm run users -- list
Press Ctrl+C to end it and to remove everything
`);
await ended;
process.stderr.write('Ending the programs and removing their data\n');
await setup.end();
process.exit(0); // the provider's timers
