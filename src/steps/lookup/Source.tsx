import { Box, Button, chakra, Flex, Text } from '@chakra-ui/react';
import { useState, type ReactNode } from 'react';
import type { Provider } from '#contract/lookup.ts';
import { ChoiceSelect } from '#ui/Choice.tsx';
import { FieldError, FieldHint, FieldLabel, FieldRoot, Textarea } from '#ui/Field.tsx';
import { providerOptions } from '#rules/distinctOptions.ts';
import { Stack } from '#ui/surfaces.tsx';

/** Selects the source of the rules: a provider or pasted JSON. `children` are further choices beside the provider. */
export function Source(props: {
  providers: readonly Provider[];
  providerId: string;
  pasteError: string;
  onProvider: (providerId: string) => void;
  onPaste: (text: string) => void;
  children: ReactNode;
}) {
  const { providers, providerId, pasteError, onProvider, onPaste, children } = props;
  const [text, setText] = useState('');
  return (
    <Stack gap="4">
      <Flex gap="4" wrap="wrap">
        <Box flex="1 1 14rem" minWidth="0" maxWidth="20rem">
          <ChoiceSelect
            label="Rules of provider"
            empty="None"
            options={providerOptions(providers)}
            value={providerId}
            onChange={onProvider}
          />
        </Box>
        <Box flex="1 1 14rem" minWidth="0" maxWidth="20rem">
          {children}
        </Box>
      </Flex>
      <chakra.details open={providers.length === 0 || pasteError !== '' || undefined}>
        <chakra.summary cursor="pointer" minHeight="6" width="fit-content" color="fg.muted">
          Paste rules instead
        </chakra.summary>
        <Box display="grid" gap="3" justifyItems="start" pt="3">
          <FieldRoot invalid={pasteError !== ''} maxWidth="form">
            <FieldLabel>Or rules as JSON</FieldLabel>
            <Textarea
              rows={5}
              spellCheck={false}
              fontFamily="mono"
              value={text}
              onChange={(event) => setText(event.target.value)}
            />
            <FieldHint>A list of rules, or a whole provider definition.</FieldHint>
            <FieldError>{pasteError}</FieldError>
          </FieldRoot>
          <Button onClick={() => onPaste(text)}>Use these rules</Button>
        </Box>
      </chakra.details>
      {providers.length === 0 && (
        <Text color="fg.muted">
          No providers were found for the country and language of the settings; paste rules instead.
        </Text>
      )}
    </Stack>
  );
}
