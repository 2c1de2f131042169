import { join } from 'node:path';
import { runCommand } from './programs.ts';

/** Makes a private authority and a certificate of a name that it has signed, in a folder, by openssl. */
export function makeCertificates(
  folder: string,
  name = 'localhost',
): { authority: string; certificate: string; key: string } {
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
    ...['req', ...key, '-subj', `/CN=${name}`, '-addext', `subjectAltName=DNS:${name}`],
    ...['-keyout', 'server.key', '-out', 'server.csr'],
  );
  openssl(
    ...['x509', '-req', '-in', 'server.csr', '-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-days', '7'],
    ...['-copy_extensions', 'copy', '-out', 'server.crt'],
  );
  const of = (file: string) => join(folder, file);
  return { authority: of('ca.pem'), certificate: of('server.crt'), key: of('server.key') };
}
