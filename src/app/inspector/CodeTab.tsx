import { Box, chakra, Flex } from '@chakra-ui/react';
import { useState } from 'react';
import { CopyButton } from '#ui/CopyButton.tsx';
import { codeOf, languages, type Language } from './code.ts';
import { Empty } from './parts.tsx';
import type { ShownRequest } from './shownRequest.ts';

/** The language chosen last, for all pages. */
let lastLanguage: Language = 'cURL';

/** Code that sends the request to the service's address; secrets are variables. */
export function CodeTab({ request }: { request: ShownRequest | undefined }) {
  const [language, setLanguage] = useState(lastLanguage);
  if (!request) return <Empty>The request of this page is shown here as code, once there is one.</Empty>;
  const code = codeOf(request, language);
  return (
    <>
      <Flex px="5" py="3" gap="2" align="center" justify="space-between" wrap="wrap" borderBottomWidth="1px">
        <Flex role="group" aria-label="Language" borderWidth="1px" borderRadius="md" overflow="hidden">
          {languages.map((each) => (
            <chakra.button
              key={each}
              type="button"
              aria-pressed={each === language}
              onClick={() => {
                lastLanguage = each;
                setLanguage(each);
              }}
              px="3"
              minHeight="7"
              fontSize="sm"
              cursor="pointer"
              bg={each === language ? 'bg.muted' : undefined}
              color={each === language ? 'fg' : 'fg.muted'}
              _focusVisible={{ outlineOffset: '-2px' }}
            >
              {each}
            </chakra.button>
          ))}
        </Flex>
        <CopyButton text={code} what={`request as ${language}`} label="Copy code" />
      </Flex>
      <Box
        as="pre"
        tabIndex={0}
        role="region"
        aria-label={`Request as ${language}`}
        px="5"
        py="4"
        overflow="auto"
        fontFamily="mono"
        fontSize="sm"
        lineHeight="1.375rem"
      >
        {code}
      </Box>
    </>
  );
}
