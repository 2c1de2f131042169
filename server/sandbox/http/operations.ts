import { serviceCalls, type ServiceCallName } from '#contract/lab.ts';

const patterns = Object.entries(serviceCalls).map(([name, { methods, path }]) => ({
  name: name as ServiceCallName, // its own keys
  methods: methods as readonly string[],
  path: new RegExp(`^${path.replaceAll('{}', '[^/]+')}$`),
}));

/** Returns the name of the service's call with this method and path; undefined if there is none. */
export const operationOf = (method: string, path: string): ServiceCallName | undefined =>
  patterns.find((each) => each.methods.includes(method) && each.path.test(path))?.name;
