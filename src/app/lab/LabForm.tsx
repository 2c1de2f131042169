import { Button, Flex } from '@chakra-ui/react';
import { useSelector } from '@xstate/react';
import { useCallback, type ReactNode } from 'react';
import type { LabFormKind, labFormMachine } from '#machines/lab/labForm.machine.ts';
import { FailurePanel } from '#ui/FailurePanel.tsx';
import { FormFrame } from '#ui/FormFields.tsx';
import type { LayoutProps } from './FaultSentence.tsx';
import { useFormActor } from './keptForms.tsx';

/** A form of the lab; what is typed survives a change of tab. `said` renders the lab's last answer. */
export function LabForm(props: {
  machine: typeof labFormMachine;
  kind: LabFormKind;
  submitLabel: string;
  said: (result: unknown) => ReactNode;
  /** Renders the button as a secondary one. */
  secondary?: boolean;
  /** Lays out the fields; below each other by default. */
  layout?: (props: LayoutProps) => ReactNode;
}) {
  const { machine, kind, submitLabel, said, secondary = false, layout } = props;
  const actor = useFormActor(machine, kind);
  const snapshot = useSelector(actor, (now) => now);
  const { values, errors, failure, result } = snapshot.context;
  const busy = snapshot.matches('sending');
  const onChange = useCallback(
    (field: string, value: string) => actor.send({ type: 'form.change', field, value }),
    [actor],
  );
  const form = kind.formOf(values);
  return (
    <FormFrame
      form={form}
      wide={layout !== undefined}
      values={values}
      errors={errors}
      busy={busy}
      onChange={onChange}
      onSubmit={() => actor.send({ type: 'form.submit' })}
    >
      {(fields, controlOf) => (
        <>
          {layout ? layout({ form, values, errors, controlOf, onChange }) : fields}
          {snapshot.matches('refused') && failure && <FailurePanel problem={failure} />}
          <Flex gap="3" wrap="wrap" align="center">
            <Button
              type="submit"
              variant={secondary ? 'outline' : 'solid'}
              aria-disabled={!snapshot.can({ type: 'form.submit' })}
            >
              {busy ? 'Sending …' : submitLabel}
            </Button>
          </Flex>
          <div role="status">{snapshot.matches('taken') && said(result)}</div>
        </>
      )}
    </FormFrame>
  );
}
