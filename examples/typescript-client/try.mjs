// Pays an invoice at a sandbox in memory, with the client that `npm run check` has compiled.
import { createSandbox } from 'payments-out-console/sandbox';
import { pay } from './built/pay.js';

const sandbox = await createSandbox({ seed: 1, port: 0 });
const { primarySigningKey, creditors, ...ids } = await sandbox.prepare('payable');
const credentials = { ...sandbox.credentials, organisationKey: primarySigningKey };
const today = new Date().toISOString().slice(0, 10);
console.log(await pay(sandbox.url, credentials, { ...ids, creditor: creditors[0] }, today));
await sandbox.close();
