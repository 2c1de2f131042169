import { readdirSync } from 'node:fs';
import { StateMachine, type AnyStateMachine } from 'xstate';

/** All machines exported by the modules of src/machines. */
export async function allMachines(): Promise<AnyStateMachine[]> {
  const files = readdirSync('src/machines', { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  );
  const modules = await Promise.all(
    files.map((file) => import(/* @vite-ignore */ `../../src/machines/${file}`) as Promise<object>),
  );
  const exported = modules.flatMap((module) => Object.values(module) as unknown[]);
  return [...new Set(exported)].filter((value): value is AnyStateMachine => value instanceof StateMachine);
}
