import { expect, it } from 'vitest';
import { environmentFor, environmentWithoutConsole } from '#command/start.ts';
import { parseConfig, variableNames } from '#server/config/config.ts';

/** What the user of a journey may choose for its console. */
const passedOn = ['LOG_LEVEL', 'SANDBOX_SEED'];

const names = variableNames.filter((name) => !passedOn.includes(name));

it.each(names)('a journey’s own console starts whatever %s is in the shell', (name) => {
  for (const value of ['nonsense', 'https://other.example.com', '299'])
    expect(() => parseConfig(environmentFor('/tmp/journey', { [name]: value }))).not.toThrow();
});

it('a journey’s own console ends at once and answers in sentences, whatever is in the shell', () => {
  const shell = { DRAIN_TIME: '30', LOG_FORMAT: 'json', OIDC_ISSUER: 'https://login.example.com', OIDC_ALLOWED: 'all' };
  expect(environmentFor('/tmp/journey', shell)).toMatchObject({
    DRAIN_TIME: '',
    LOG_FORMAT: 'text',
    OIDC_ISSUER: '',
    OIDC_ALLOWED: '',
    HOST: '127.0.0.1',
    DATA_DIR: '/tmp/journey',
  });
});

it('a program that an agent verifies gets nothing that configures a console, and the rest of the shell (behaviour 10.23.4)', () => {
  const shell = Object.fromEntries(names.map((name) => [name, 'https://live.example.com']));
  expect(environmentWithoutConsole({ ...shell, PATH: '/bin', MY_LEDGER: 'a' })).toEqual({
    PATH: '/bin',
    MY_LEDGER: 'a',
  });
});
