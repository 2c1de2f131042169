import { Box, Flex, Link } from '@chakra-ui/react';
import { useState } from 'react';
import { Link as RouterLink } from 'react-router-dom';
import type { JourneyId } from '#machines/journeys.ts';
import { Choice } from '#ui/Choice.tsx';
import { CopyButton } from '#ui/CopyButton.tsx';
import { FieldLabel, FieldRoot } from '#ui/Field.tsx';
import { Menu } from '#ui/Menu.tsx';
import { visuallyHidden } from '#ui/visuallyHidden.ts';
import { connectPath } from '#app/frame/pages.ts';
import { codeOf } from './code.ts';
import { languages, type Language } from './code/languages.ts';
import { ExportItems } from './ExportItems.tsx';
import type { ShownRequest } from './shownRequest.ts';

/** The language chosen last, for all pages. */
let last: Language = 'cURL (bash)';

/** Code that sends the request to the service's address, with variables in place of secrets. */
export function CodeTab({ id, request }: { id?: JourneyId; request: ShownRequest }) {
  const [language, setLanguage] = useState(last);
  const code = codeOf(request, language);
  const what = `Request as ${language}`;
  return (
    <>
      <Flex px="5" py="3" gap="2" align="center" justify="space-between" borderBottomWidth="1px">
        <FieldRoot flex="0 1 12rem" css={{ '& > label': visuallyHidden }}>
          <FieldLabel>Code as</FieldLabel>
          <Choice
            options={languages.map((each) => ({ value: each, label: each }))}
            value={language}
            onChange={(next) => {
              last = next as Language; // one of the options
              setLanguage(last);
            }}
          />
        </FieldRoot>
        <Flex gap="2" align="center" flex="none">
          <Link asChild fontSize="sm">
            <RouterLink to={connectPath} title="The secrets that the code reads, in a file to copy">
              .env
            </RouterLink>
          </Link>
          <CopyButton text={code} what={what.toLowerCase()} label="Copy code" />
          {id && (
            <Menu
              label="Export"
              items={(back) => <ExportItems what="Calls of this step" query={[['journey', id]]} onChoose={back} />}
            />
          )}
        </Flex>
      </Flex>
      <Box
        as="pre"
        tabIndex={0}
        role="region"
        aria-label={what}
        px="5"
        py="4"
        overflow="auto"
        translate="no"
        fontFamily="mono"
        fontSize="sm"
        lineHeight="1.375rem"
      >
        {code}
      </Box>
    </>
  );
}
