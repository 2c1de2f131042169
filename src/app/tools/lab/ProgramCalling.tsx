import { Box, Button, chakra, Flex, Text } from '@chakra-ui/react';
import { programPath, programTokenHeader } from '#contract/programs.ts';
import { Code } from '#ui/Code.tsx';
import { Stack } from '#ui/surfaces.tsx';
import { useFacts } from '#app/console/ConsoleProvider.tsx';
import { CopyableText } from './CopyableText.tsx';

/** How a program calls: the header, and an example to copy. */
export function ProgramCalling({ token, onCopied }: { token: string | undefined; onCopied: () => void }) {
  const facts = useFacts();
  const base = location.origin + programPath;
  const example = [
    `curl '${base}/v3/providers?country=GB' \\`,
    `  -H '${programTokenHeader}: ${token ?? 'YOUR-TOKEN'}' \\`,
    `  -H 'x-application: ${facts?.service.applicationId ?? ''}' \\`,
    `  -H "x-api-key: $API_KEY"`,
  ].join('\n');
  return (
    <Box display="grid" gap="3" minWidth="0">
      {token !== undefined && (
        <Box display="grid" gap="2" role="group" aria-label="The new token">
          <Text>
            The header <Code>{programTokenHeader}</Code> of each of its calls. Copy it now:
          </Text>
          <CopyableText text={token} what="the token" />
          <Flex>
            <Button size="sm" onClick={onCopied}>
              I have copied it
            </Button>
          </Flex>
        </Box>
      )}
      <chakra.details open={token !== undefined}>
        <chakra.summary cursor="pointer" minHeight="6" fontSize="sm">
          Example call
        </chakra.summary>
        <Stack gap="2" pt="2">
          <CopyableText text={example} what="the example" />
          <Text color="fg.muted" fontSize="sm">
            {facts?.sandbox?.isApart === false
              ? 'A signed call signs this address or the sandbox’s own; both are accepted.'
              : `Signed calls sign the service’s address, ${facts?.sandbox?.url ?? facts?.service.auth ?? ''}, because it does not know this one.`}
          </Text>
        </Stack>
      </chakra.details>
    </Box>
  );
}
