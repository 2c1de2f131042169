import { Box, Button, chakra, Flex, Input, Text } from '@chakra-ui/react';
import { useId, type ComponentProps } from 'react';
import type { Problem } from '#contract/problem.ts';
import { FailurePanel } from '#steps/kit/FailurePanel.tsx';

interface Entered {
  organisationId: string;
  companyId: string;
  signingKey: string;
}

function Entry({ label, hint, ...input }: { label: string; hint?: string } & ComponentProps<typeof Input>) {
  const id = useId();
  return (
    <Box display="grid" gap="1">
      <chakra.label htmlFor={id} fontWeight="medium">
        {label}
      </chakra.label>
      {hint && (
        <Text id={`${id}-hint`} color="fg.muted" fontSize="sm">
          {hint}
        </Text>
      )}
      <Input id={id} aria-describedby={hint && `${id}-hint`} autoComplete="off" spellCheck={false} {...input} />
    </Box>
  );
}

/** An existing organisation, company and signing key. What is typed stays in its fields; no draft of it is kept. */
export function ExistingForm(props: {
  busy: boolean;
  failure: Problem | null;
  onSubmit: (entered: Entered) => void;
  onCancel: () => void;
}) {
  const { busy, failure, onSubmit, onCancel } = props;
  return (
    <chakra.form
      display="grid"
      gap="3"
      maxWidth="form"
      aria-label="Existing company"
      onSubmit={(event) => {
        event.preventDefault();
        const typed = new FormData(event.currentTarget);
        const text = (name: string) => (typed.get(name) as string).trim(); // the form's own fields, all of texts
        if (!busy)
          onSubmit({
            organisationId: text('organisationId'),
            companyId: text('companyId'),
            signingKey: text('signingKey'),
          });
      }}
    >
      {failure && <FailurePanel problem={failure} />}
      <Entry label="Organisation id" name="organisationId" required />
      <Entry label="Company id" name="companyId" hint="Leave it empty if the organisation has no company yet" />
      <Entry
        label="Signing key"
        name="signingKey"
        type="password"
        hint="The service is asked for a token with it; only if it gives one is anything kept"
        required
      />
      <Flex gap="2">
        <Button type="submit" variant="solid" aria-disabled={busy}>
          {busy ? 'Sending …' : 'Use this company'}
        </Button>
        <Button onClick={onCancel}>Cancel</Button>
      </Flex>
    </chakra.form>
  );
}
