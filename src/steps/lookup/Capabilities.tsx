import { Box, Heading, Table, Text } from '@chakra-ui/react';
import { useMemo } from 'react';
import type { Facts } from '#contract/facts.ts';
import type { Provider } from '#contract/lookup.ts';
import { capabilitiesOf, type Capability } from '#machines/capabilities.ts';
import { Badge } from '#ui/Badge.tsx';
import { withShortIds } from '#rules/shortId.ts';
import { Stack } from '#ui/surfaces.tsx';

function Entry({ capability }: { capability: Capability | undefined }) {
  if (!capability || capability.blocked.length === 0) return <Badge tone="done">open</Badge>;
  return (
    <Box display="grid" gap="1">
      {capability.blocked.map(({ title, stands }, index) => (
        <div key={title}>
          {index === 0 && <Badge tone="blocked">blocked</Badge>}
          <Text fontSize="xs">{title}</Text>
          {stands !== title && (
            <Text fontSize="xs" color="fg.muted" overflowWrap="anywhere" title={stands}>
              {withShortIds(stands)}
            </Text>
          )}
        </div>
      ))}
    </Box>
  );
}

const yes = (has: boolean) => (has ? <Badge tone="done">yes</Badge> : <Text color="fg.muted">no</Text>);

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
        The state of each menu entry with the provider’s subscription as the current one, with the reasons of its gates.
      </Text>
      <Table.ScrollArea overflowX="auto" maxWidth="full" tabIndex={0} role="region" aria-label="Capabilities">
        <Table.Root
          aria-labelledby="capabilities"
          tableLayout="fixed"
          minWidth={`${(providers.length + 1) * 7}rem`}
          css={{ '& td, & th': { verticalAlign: 'top', whiteSpace: 'normal', overflowWrap: 'anywhere', py: '2' } }}
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
                  <code>{capability}</code>
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
