import { createContext, use, useState, type ReactNode } from 'react';
import { createActor, type ActorRefFrom } from 'xstate';
import type { LabFormKind, labFormMachine } from '#machines/lab/labForm.machine.ts';

type FormActor = ActorRefFrom<typeof labFormMachine>;

/** The actors of the forms by their machines, of which each form has one of its own. */
const KeptForms = createContext(new Map<typeof labFormMachine, FormActor>());

/** Keeps what is typed into the forms within it while their tab is closed. */
export function KeepForms({ children }: { children: ReactNode }) {
  const [forms] = useState(() => new Map<typeof labFormMachine, FormActor>());
  return <KeptForms value={forms}>{children}</KeptForms>;
}

/** The actor of a form, which lives as long as the surrounding KeepForms. */
export function useFormActor(machine: typeof labFormMachine, kind: LabFormKind): FormActor {
  const forms = use(KeptForms);
  const [actor] = useState(() => {
    const kept = forms.get(machine) ?? createActor(machine, { input: kind }).start();
    forms.set(machine, kept);
    return kept;
  });
  return actor;
}
