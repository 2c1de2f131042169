import { Button, Flex } from '@chakra-ui/react';
import { useEffect, useRef } from 'react';
import type { Provider } from '#contract/lookup.ts';
import { providerOptions } from '#rules/distinctOptions.ts';
import { Choice } from '#ui/Choice.tsx';
import { FieldLabel, FieldRoot } from '#ui/Field.tsx';
import { Cards, ProviderCard } from '../kit/DefinitionCard.tsx';

/** Most providers that are shown as cards beside the selector, which has a filter for more. */
const mostCards = 12;

/** The provider selector, disabled once a provider is chosen (behaviour, section 2: Subscription creation screen). */
export function ProviderSelect(props: {
  providers: readonly Provider[];
  chosen: Provider | null;
  onChoose: (providerId: string) => void;
  onClear: () => void;
}) {
  const { providers, chosen, onChoose, onClear } = props;
  const options = providerOptions(providers);
  const field = useRef<HTMLDivElement>(null);
  const wasLocked = useRef(false);
  useEffect(() => {
    // The button that enabled the selector is removed and loses the focus: the selector takes it.
    if (wasLocked.current && !chosen) field.current?.querySelector('input')?.focus();
    wasLocked.current = chosen !== null;
  }, [chosen]);
  return (
    <>
      <Flex gap="3" align="end" wrap="wrap">
        <FieldRoot ref={field} width="provider" maxWidth="full" disabled={chosen !== null}>
          <FieldLabel>Select Provider</FieldLabel>
          <Choice name="providerid" options={options} value={chosen?.providerId ?? ''} onChange={onChoose} />
        </FieldRoot>
        {chosen && <Button onClick={onClear}>Choose another provider</Button>}
      </Flex>
      {!chosen && providers.length <= mostCards && (
        <Cards>
          {providers.map((provider, index) => (
            <li key={provider.providerId}>
              <ProviderCard
                provider={provider}
                name={options[index]?.label ?? ''}
                onChoose={() => onChoose(provider.providerId)}
              />
            </li>
          ))}
        </Cards>
      )}
    </>
  );
}
