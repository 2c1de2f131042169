import { useSelector } from '@xstate/react';
import { FieldHint, FieldLabel, FieldRoot, Input } from '#ui/Field.tsx';
import type { PaymentActor } from './PaymentStep.tsx';

/** The input in which the user confirms a payment of real money by typing its total. */
export function Confirmation({ actor, total }: { actor: PaymentActor; total: string }) {
  const typed = useSelector(actor, ({ context }) => context.confirmation);
  const mayType = useSelector(actor, (snapshot) => snapshot.can({ type: 'total.confirm', text: '' }));
  return (
    <FieldRoot maxWidth="form" borderInlineStartWidth="4px" borderColor="live" ps="4" py="1">
      <FieldLabel>Type the total to pay real money</FieldLabel>
      <Input
        autoComplete="off"
        value={typed}
        readOnly={!mayType}
        onChange={(event) => actor.send({ type: 'total.confirm', text: event.target.value })}
      />
      <FieldHint>{total}</FieldHint>
    </FieldRoot>
  );
}
