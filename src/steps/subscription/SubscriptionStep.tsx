import { Box } from '@chakra-ui/react';
import { useSelector } from '@xstate/react';
import { useEffect, useRef } from 'react';
import type { ActorRefFrom } from 'xstate';
import type { subscriptionMachine } from '#machines/subscription/subscription.machine.ts';
import { Bar } from '#ui/Bar.tsx';
import { FillButton } from '#ui/BesideHeading.tsx';
import { FormFields } from '#ui/FormFields.tsx';
import { useFill, useForm } from '../useForm.ts';
import { ProviderSelect } from './ProviderSelect.tsx';

export interface SubscriptionProps {
  actor: ActorRefFrom<typeof subscriptionMachine>;
}

/**
 * The chosen provider's form. Takes the focus from the selector, which is now disabled, but not from elsewhere, such as
 * the menu: an only provider is chosen automatically, wherever the focus is.
 */
function SubscriptionForm({ actor, destructiveCancel }: SubscriptionProps & { destructiveCancel: boolean }) {
  const props = useForm(actor);
  const section = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const focused = document.activeElement ?? document.body;
    if (focused === document.body || focused.matches(':disabled')) section.current?.focus();
  }, []);
  return (
    <Box ref={section} tabIndex={-1} _focus={{ outline: 'none' }}>
      <FormFields
        {...props}
        title="Subscription Data"
        submitLabel="Create Subscription"
        destructiveCancel={destructiveCancel}
      >
        {props.form.fields.length === 0 && 'This provider asks for no data.'}
      </FormFields>
    </Box>
  );
}

/** The common part of the two subscription screens: provider, then its fields or banks (behaviour, section 2). */
function SubscriptionScreen({ actor, destructiveCancel = false }: SubscriptionProps & { destructiveCancel?: boolean }) {
  const providers = useSelector(actor, ({ context }) => context.providers);
  const provider = useSelector(actor, ({ context }) => context.provider);
  const fill = useFill(actor);
  return (
    <Box display="grid" gap="6" maxWidth="form">
      <ProviderSelect
        providers={providers}
        chosen={provider}
        onChoose={(providerId) => actor.send({ type: 'provider.choose', providerId })}
        onClear={() => actor.send({ type: 'provider.clear' })}
      />
      {provider ? (
        <SubscriptionForm actor={actor} destructiveCancel={destructiveCancel} />
      ) : (
        <>
          <FillButton onFill={fill} />
          <Bar
            leave={[
              { label: 'Cancel', destructive: destructiveCancel, onPress: () => actor.send({ type: 'form.cancel' }) },
            ]}
          />
        </>
      )}
    </Box>
  );
}

/** Creates a subscription from the provider's fields (behaviour, section 2: /onboardingsubscription). */
export function SubscriptionStep({ actor }: SubscriptionProps) {
  return <SubscriptionScreen actor={actor} />;
}

/** Creates a subscription by choosing a bank (behaviour, section 2: /openbankingsubscription). */
export function BankSubscriptionStep({ actor }: SubscriptionProps) {
  return <SubscriptionScreen actor={actor} destructiveCancel />;
}
