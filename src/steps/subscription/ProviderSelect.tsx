import { Button, Field, Flex, NativeSelect } from '@chakra-ui/react';
import { useEffect, useId, useRef, useState } from 'react';
import type { Provider } from '#contract/entities.ts';
import { Choice, shortList } from '../kit/Choice.tsx';

/**
 * The provider selector: locked once a provider is chosen (spec, section 2: Subscription creation screen). Keys pass
 * from provider to provider, so what they come to is chosen by Enter or a button only.
 */
export function ProviderSelect(props: {
  providers: readonly Provider[];
  chosen: Provider | null;
  onChoose: (providerId: string) => void;
  onClear: () => void;
}) {
  const { providers, chosen, onChoose, onClear } = props;
  const field = useRef<HTMLDivElement>(null);
  const id = useId();
  const byKey = useRef(false);
  const [passed, setPassed] = useState('');
  const wasLocked = useRef(false);
  useEffect(() => {
    // The button that unlocked the selector is gone, and the focus with it.
    if (wasLocked.current && !chosen) field.current?.querySelector<HTMLElement>('select, input')?.focus();
    wasLocked.current = chosen !== null;
  }, [chosen]);
  const choose = (providerId: string) => {
    setPassed('');
    onChoose(providerId);
  };
  return (
    <Flex gap="3" align="end" wrap="wrap">
      <Field.Root ref={field} id={id} minWidth="min({sizes.provider}, 100%)" maxWidth="form" disabled={chosen !== null}>
        <Field.Label>Select Provider</Field.Label>
        {chosen || providers.length <= shortList ? (
          <NativeSelect.Root>
            <NativeSelect.Field
              name="providerid"
              value={chosen?.providerId ?? passed}
              onPointerDown={() => (byKey.current = false)}
              onKeyDown={({ key }) => {
                byKey.current = true;
                if (key === 'Enter') choose(passed);
              }}
              onChange={({ target }) => (byKey.current ? setPassed : choose)(target.value)}
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
        ) : (
          <Choice
            id={id}
            label="Select Provider"
            options={providers.map(({ providerId, name }) => ({ value: providerId, label: name }))}
            value=""
            onChange={onChoose}
          />
        )}
      </Field.Root>
      {passed && (
        <Button variant="solid" onClick={() => choose(passed)}>
          Choose this provider
        </Button>
      )}
      {chosen && <Button onClick={onClear}>Choose another provider</Button>}
    </Flex>
  );
}
