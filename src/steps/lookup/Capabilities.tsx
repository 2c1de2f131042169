import { Box, chakra, Heading, Table, Text } from '@chakra-ui/react';
import { useMemo } from 'react';
import type { Facts } from '#contract/facts.ts';
import type { Provider } from '#contract/lookup.ts';
import { capabilitiesOf, type Capability } from '#machines/capabilities.ts';
import { withShortIds } from '#rules/shortId.ts';
import { Code } from '#ui/Code.tsx';
import { Stack } from '#ui/surfaces.tsx';

/** A tick or a cross; the word is for screen readers. */
const Sign = ({ has, word }: { has: boolean; word: string }) => (
  <Text as="span" color={has ? 'done' : 'fg.muted'} title={word}>
    <span aria-hidden="true">{has ? '✓' : '–'}</span>
    <Text as="span" srOnly>
      {word}
    </Text>
  </Text>
);

/** A tick, or a sign that the entry is blocked, whose reasons open on demand. */
function Entry({ capability }: { capability: Capability | undefined }) {
  if (!capability || capability.blocked.length === 0) return <Sign has word="open" />;
  return (
    <chakra.details color="waiting">
      <chakra.summary cursor="pointer" minHeight="6">
        <span aria-hidden="true">∅</span>
        <Text as="span" srOnly>
          blocked: why
        </Text>
      </chakra.summary>
      {capability.blocked.map(({ title, stands }) => (
        <Box key={title} color="fg" fontSize="xs">
          <Text>{title}</Text>
          {stands !== title && (
            <Text color="fg.muted" overflowWrap="anywhere" title={stands}>
              {withShortIds(stands)}
            </Text>
          )}
        </Box>
      ))}
    </chakra.details>
  );
}

const yes = (has: boolean) => <Sign has={has} word={has ? 'yes' : 'no'} />;

/** What each provider supports, and which gates block an entry of the menu with it. */
export function Capabilities({ providers, facts }: { providers: readonly Provider[]; facts: Facts }) {
  const entries = useMemo(() => providers.map((provider) => capabilitiesOf(provider, facts)), [providers, facts]);
  const declared = useMemo(
    () => [...new Set(providers.flatMap(({ accountType }) => accountType.capabilities ?? []))].sort(),
    [providers],
  );
  const rows = entries[0] ?? [];
  return (
    <Stack as="section" aria-labelledby="capabilities" gap="4">
      <Heading as="h2" id="capabilities">
        Provider capabilities
      </Heading>
      <Text color="fg.muted" fontSize="sm">
        The state of each menu entry with the provider’s subscription as the current one: ✓ open, ∅ blocked. Select ∅ to
        see the reasons.
      </Text>
      <Table.ScrollArea
        position="relative" // holds the hidden words of its cells
        overflowX="auto"
        maxWidth="full"
        tabIndex={0}
        role="region"
        aria-label="Capabilities"
      >
        <Table.Root
          aria-labelledby="capabilities"
          css={{
            '& td, & th': { verticalAlign: 'top', minWidth: '5rem', maxWidth: '11rem', whiteSpace: 'normal', py: '1' },
            '& th[scope=row]': { minWidth: '11.5rem' },
          }}
        >
          <Table.Header>
            <Table.Row bg="bg">
              <Table.ColumnHeader scope="col">Provider</Table.ColumnHeader>
              {providers.map(({ providerId, name }) => (
                <Table.ColumnHeader key={providerId} scope="col">
                  {name}
                </Table.ColumnHeader>
              ))}
            </Table.Row>
          </Table.Header>
          <Table.Body>
            {declared.map((capability) => (
              <Table.Row key={capability} bg="bg">
                <Table.ColumnHeader scope="row" fontWeight="normal">
                  <Code>{capability}</Code>
                </Table.ColumnHeader>
                {providers.map(({ providerId, accountType }) => (
                  <Table.Cell key={providerId}>
                    {yes(accountType.capabilities?.includes(capability) ?? false)}
                  </Table.Cell>
                ))}
              </Table.Row>
            ))}
            {rows.map(({ journey, name }, index) => (
              <Table.Row key={journey} bg="bg">
                <Table.ColumnHeader scope="row">{name}</Table.ColumnHeader>
                {providers.map(({ providerId }, at) => (
                  <Table.Cell key={providerId}>
                    <Entry capability={entries[at]?.[index]} />
                  </Table.Cell>
                ))}
              </Table.Row>
            ))}
          </Table.Body>
        </Table.Root>
      </Table.ScrollArea>
    </Stack>
  );
}
