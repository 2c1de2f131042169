import { Button, Field, Flex, NativeSelect } from '@chakra-ui/react';
import { useEffect, useRef } from 'react';
import type { Provider } from '#contract/entities.ts';

/** The provider selector: locked once a provider is chosen (spec, section 2: Subscription creation screen). */
export function ProviderSelect(props: {
  providers: readonly Provider[];
  chosen: Provider | null;
  onChoose: (providerId: string) => void;
  onClear: () => void;
}) {
  const { providers, chosen, onChoose, onClear } = props;
  const select = useRef<HTMLSelectElement>(null);
  const wasLocked = useRef(false);
  useEffect(() => {
    // The button that unlocked the selector is gone, and the focus with it.
    if (wasLocked.current && !chosen) select.current?.focus();
    wasLocked.current = chosen !== null;
  }, [chosen]);
  return (
    <Flex gap="3" align="end" wrap="wrap">
      <Field.Root minWidth="min({sizes.provider}, 100%)" maxWidth="form" disabled={chosen !== null}>
        <Field.Label>Select Provider</Field.Label>
        <NativeSelect.Root>
          <NativeSelect.Field
            ref={select}
            name="providerid"
            value={chosen?.providerId ?? ''}
            onChange={(event) => onChoose(event.target.value)}
          >
            <option value="">Choose one</option>
            {providers.map(({ providerId, name }) => (
              <option key={providerId} value={providerId}>
                {name}
              </option>
            ))}
          </NativeSelect.Field>
          <NativeSelect.Indicator />
        </NativeSelect.Root>
      </Field.Root>
      {chosen && <Button onClick={onClear}>Choose another provider</Button>}
    </Flex>
  );
}
