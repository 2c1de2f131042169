import { Box, Flex } from '@chakra-ui/react';
import { useState } from 'react';
import type { JourneyId } from '#machines/journeys.ts';
import { CopyButton } from '#ui/CopyButton.tsx';
import { Menu } from '#ui/Menu.tsx';
import { SegmentedControl } from '#ui/SegmentedControl.tsx';
import { codeOf, languages, type Language } from './code.ts';
import { ExportItems } from './ExportItems.tsx';
import type { ShownRequest } from './shownRequest.ts';

/** The language chosen last, for all pages. */
let lastLanguage: Language = 'cURL (bash)';

const labels = Object.fromEntries(languages.map((language) => [language, language])) as Record<Language, Language>; // of all languages

/** Code that sends the request to the service's address; secrets are variables. */
export function CodeTab({ id, request }: { id: JourneyId; request: ShownRequest }) {
  const [language, setLanguage] = useState(lastLanguage);
  const code = codeOf(request, language);
  return (
    <>
      <Flex px="5" py="3" gap="2" align="center" justify="space-between" wrap="wrap" borderBottomWidth="1px">
        <SegmentedControl
          label="Language"
          labels={labels}
          value={language}
          onChange={(chosen) => {
            lastLanguage = chosen;
            setLanguage(chosen);
          }}
        />
        <Flex gap="2" align="center">
          <CopyButton text={code} what={`request as ${language}`} label="Copy code" />
          <Menu
            label="Export"
            items={(back) => <ExportItems what="Calls of this step" query={[['journey', id]]} onChoose={back} />}
          />
        </Flex>
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
