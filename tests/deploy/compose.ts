import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

/** What the tests read of a service. */
export interface Service {
  image: string;
  command?: readonly string[];
  environment?: Readonly<Record<string, string | number>>;
  healthcheck?: { test: readonly string[] };
  networks: readonly string[] | Readonly<Record<string, { ipv4_address?: string; aliases?: readonly string[] }>>;
  volumes?: readonly string[];
  read_only?: boolean;
  stop_grace_period?: string;
}

const text = readFileSync('deploy/compose.yaml', 'utf8');

/** The services by name, with anchors and merges resolved. */
export const { services } = parse(text, { merge: true }) as { services: Readonly<Record<string, Service>> }; // as the schema says

/** The variables of `.env`: those that are required, and those with a default. */
const named = [...text.matchAll(/\$\{(\w+)(:[?-])?/g)].map(([, name, mark]) => ({ name: name!, mark })); // in every match
export const variables = {
  required: [...new Set(named.filter(({ mark }) => mark === ':?').map(({ name }) => name))],
  all: [...new Set(named.map(({ name }) => name))],
};

/** The environment of a service's program, with the values of `.env`. */
export const environmentOf = ({ environment = {} }: Service, values: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(environment).map(([name, value]) => [
      name,
      String(value).replaceAll(/\$\{(\w+)(?::-([^}]*)|:\?[^}]*)?\}/g, (_, variable: string, usual = '') =>
        String(values[variable] || usual),
      ),
    ]),
  );

/** The address of a service in the network that the proxy is in. */
export const addressOf = (name: string): string | undefined => {
  const networks = services[name]?.networks ?? {};
  return 'front' in networks ? networks.front?.ipv4_address : undefined;
};
