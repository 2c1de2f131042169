import { join } from 'node:path';
import { runCommand } from './programs.ts';

/** Makes a private authority and a certificate of `localhost` that it has signed, in a folder, by openssl. */
export function makeCertificates(folder: string): { authority: string; certificate: string; key: string } {
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  const openssl = (...args: string[]) => runCommand('openssl', args, folder);
  openssl(
    'req',
    '-x509',
    ...key,
    '-days',
    '7',
    '-subj',
    '/CN=A private authority',
    '-keyout',
    'ca.key',
    '-out',
    'ca.pem',
  );
  openssl(
    ...['req', ...key, '-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'],
    ...['-keyout', 'server.key', '-out', 'server.csr'],
  );
  openssl(
    ...['x509', '-req', '-in', 'server.csr', '-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-days', '7'],
    ...['-copy_extensions', 'copy', '-out', 'server.crt'],
  );
  const of = (name: string) => join(folder, name);
  return { authority: of('ca.pem'), certificate: of('server.crt'), key: of('server.key') };
}
