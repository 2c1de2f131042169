import { Box, Button, Field, Text, Textarea } from '@chakra-ui/react';
import { useState } from 'react';
import type { Provider } from '#contract/lookup.ts';
import { ChoiceSelect } from '../kit/Choice.tsx';

/** Where the rules come from: a provider, or text that was pasted. */
export function Source(props: {
  providers: readonly Provider[];
  providerId: string;
  pasteError: string;
  onProvider: (providerId: string) => void;
  onPaste: (text: string) => void;
}) {
  const { providers, providerId, pasteError, onProvider, onPaste } = props;
  const [text, setText] = useState('');
  return (
    <Box display="grid" gap="4" justifyItems="start">
      <ChoiceSelect
        label="Rules of provider"
        empty="None"
        options={providers.map(({ providerId: value, name }) => ({ value, label: name }))}
        value={providerId}
        onChange={onProvider}
      />
      <Field.Root invalid={pasteError !== ''} maxWidth="form">
        <Field.Label>Or rules as JSON</Field.Label>
        <Textarea
          rows={5}
          spellCheck={false}
          fontFamily="mono"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <Field.HelperText>A list of rules, or a whole provider definition.</Field.HelperText>
        <Field.ErrorText>{pasteError}</Field.ErrorText>
      </Field.Root>
      <Button onClick={() => onPaste(text)}>Use these rules</Button>
      {providers.length === 0 && (
        <Text color="fg.muted">
          No providers were found for the country and language of the settings; paste rules instead.
        </Text>
      )}
    </Box>
  );
}
