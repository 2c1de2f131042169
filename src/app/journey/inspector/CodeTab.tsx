import { Box, Flex } from '@chakra-ui/react';
import { useState } from 'react';
import type { AnyMachineSnapshot } from 'xstate';
import type { JourneyId } from '#machines/journeys.ts';
import { isOfWalk, walkOf } from '#runner/walkOf.ts';
import { Choice } from '#ui/Choice.tsx';
import { CopyButton } from '#ui/CopyButton.tsx';
import { FieldLabel, FieldRoot } from '#ui/Field.tsx';
import { Menu } from '#ui/Menu.tsx';
import { visuallyHidden } from '#ui/visuallyHidden.ts';
import { serverMeta } from '#app/client/serverMeta.ts';
import { userName } from '#app/client/user.ts';
import { codeOf, languages, type Language } from './code.ts';
import { commandLine } from './commandLine.ts';
import { ExportItems } from './ExportItems.tsx';
import type { ShownRequest } from './shownRequest.ts';

/** The step as a line of a script; the other languages send the request to the service. */
const script = 'Command line';
type Form = Language | typeof script;
const forms: readonly Form[] = [...languages, script];

/** The form chosen last, for all pages. */
let lastForm: Form = 'cURL (bash)';

/** The command where the server has not named its own, as in development. */
const inCheckout = 'npm run journey --';

/**
 * Code that sends the request to the service's address, with variables in place of secrets; and the command that does the step's
 * work on this console, if that sends the request.
 */
export function CodeTab(props: {
  id: JourneyId;
  snapshot: AnyMachineSnapshot;
  request: ShownRequest | undefined;
  /** Whether the request was sent before. */
  isSent: boolean;
}) {
  const { id, snapshot, request, isSent } = props;
  const [chosen, setChosen] = useState(lastForm);
  const offered = forms.filter((form) => (form === script ? !request || isOfWalk(id, request) : request));
  const form = offered.includes(chosen) ? chosen : (offered[0] ?? script);
  const code =
    form === script || !request
      ? commandLine(walkOf(id, snapshot, isSent ? request?.body : undefined), {
          command: serverMeta('journey') || inCheckout,
          origin: window.location.origin,
          signsIn: userName() !== '',
        })
      : codeOf(request, form);
  const what = form === script ? 'Step as a command' : `Request as ${form}`;
  return (
    <>
      <Flex px="5" py="3" gap="2" align="center" justify="space-between" borderBottomWidth="1px">
        <FieldRoot flex="0 1 12rem" css={{ '& > label': visuallyHidden }}>
          <FieldLabel>Code as</FieldLabel>
          <Choice
            options={offered.map((each) => ({ value: each, label: each }))}
            value={form}
            onChange={(next) => {
              lastForm = next as Form; // one of the options
              setChosen(lastForm);
            }}
          />
        </FieldRoot>
        <Flex gap="2" align="center" flex="none">
          <CopyButton text={code} what={what.toLowerCase()} label="Copy code" />
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
