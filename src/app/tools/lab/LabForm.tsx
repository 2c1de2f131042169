import { Flex } from '@chakra-ui/react';
import { useSelector } from '@xstate/react';
import { useCallback, type ReactNode } from 'react';
import type { LabFormKind, labFormMachine } from '#machines/lab/labForm.machine.ts';
import { ActButton } from '#steps/kit/ActButton.tsx';
import { useContextValues } from '#steps/kit/useContextValues.ts';
import { FailurePanel } from '#ui/FailurePanel.tsx';
import { FormFrame } from '#ui/FormFields.tsx';
import { useRunning } from '#app/console/useResource.ts';
import type { LayoutProps } from './FaultSentence.tsx';

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
  const actor = useRunning(machine, { input: kind, shared: machine, kept: true });
  const { values, errors, result } = useContextValues(actor, 'values', 'errors', 'result');
  const failure = useSelector(actor, (snapshot) => (snapshot.matches('refused') ? snapshot.context.failure : null));
  const busy = useSelector(actor, (snapshot) => snapshot.matches('sending'));
  const isTaken = useSelector(actor, (snapshot) => snapshot.matches('taken'));
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
          {failure && <FailurePanel problem={failure} />}
          <Flex gap="3" wrap="wrap" align="center">
            <ActButton
              type="submit"
              variant={secondary ? 'outline' : 'solid'}
              actor={actor}
              act={{ type: 'form.submit' }}
            >
              {busy ? 'Sending …' : submitLabel}
            </ActButton>
          </Flex>
          <div role="status">{isTaken && said(result)}</div>
        </>
      )}
    </FormFrame>
  );
}
