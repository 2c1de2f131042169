import { Flex, Link, Text } from '@chakra-ui/react';
import { useState } from 'react';
import { Link as RouterLink } from 'react-router-dom';
import { jsonIn, stringify } from '#contract/json.ts';
import type { TimelineEntry } from '#contract/timeline.ts';
import { localDay } from '#rules/date.ts';
import type { DescribedOperation } from '#rules/description.ts';
import { notSent, placesIn, valuesOf } from '#rules/sentExample.ts';
import { ActButton } from '#steps/kit/ActButton.tsx';
import { ConfirmDialog } from '#ui/Dialog.tsx';
import { FailurePanel } from '#ui/FailurePanel.tsx';
import { FieldLabel, FieldRoot, Input, Textarea } from '#ui/Field.tsx';
import { CodeBlock, Stack } from '#ui/surfaces.tsx';
import { useFacts } from '#app/console/ConsoleProvider.tsx';
import { useResource } from '#app/console/useResource.ts';
import { exampleSending } from '#app/effects/examples.ts';

/** The most lines of a body that are shown without scrolling. */
const mostLines = 16;

/** What was answered, as the timeline has it. */
function Received({ entry, what }: { entry: TimelineEntry | null; what: string }) {
  if (!entry) return <Text>It was sent; the timeline does not keep it.</Text>;
  const { response, status, ms } = entry;
  return (
    <>
      <Flex columnGap="4" wrap="wrap" align="baseline" fontSize="sm">
        <Text color={status < 400 ? 'done' : 'failed'} fontWeight="medium">
          {status} · {ms} ms
        </Text>
        <Link asChild>
          <RouterLink to={`/timeline?${new URLSearchParams({ entry: entry.id }).toString()}`}>
            In the timeline
          </RouterLink>
        </Link>
      </Flex>
      {response.body && (
        <CodeBlock aria-label={what} tabIndex={0} maxHeight="24rem" overflow="auto">
          {indented(response.body)}
        </CodeBlock>
      )}
    </>
  );
}

/** JSON on lines of its own; any other text as it is. */
function indented(text: string): string {
  const value = jsonIn(text);
  return value === undefined ? text : stringify(value, 2);
}

/** Sends the example of an operation to the sandbox, as it is or changed, and shows the response (behaviour, section 10.26). */
export function SendExample({ operation }: { operation: DescribedOperation }) {
  const { summary, method, address } = operation;
  const facts = useFacts();
  const [typed, setTyped] = useState<Partial<ReturnType<typeof valuesOf>>>({});
  const { actor, asked, acting, done, result, failure } = useResource(exampleSending);
  const given = valuesOf(operation, facts, localDay(new Date()));
  const values = { ...given.values, ...typed.values };
  const body = typed.body ?? given.body;
  const act = { type: 'act', act: 'send', operation, values, body, facts } as const;
  const whyNot = notSent(act);
  return (
    <Stack as="section" aria-label={`Send: ${summary}`} gap="3">
      {placesIn(operation).map(({ place, isRequired }) => (
        <FieldRoot key={place} required={isRequired} maxWidth="measure">
          <FieldLabel>{place}</FieldLabel>
          <Input
            value={values[place] ?? ''}
            fontFamily="mono"
            autoComplete="off"
            spellCheck={false}
            onChange={({ target }) => setTyped({ ...typed, values: { ...typed.values, [place]: target.value } })}
          />
        </FieldRoot>
      ))}
      {operation.body && (
        <FieldRoot>
          <FieldLabel>Example of the body</FieldLabel>
          <Textarea
            value={body}
            rows={Math.min(body.split('\n').length, mostLines)}
            fontFamily="mono"
            spellCheck={false}
            onChange={({ target }) => setTyped({ ...typed, body: target.value })}
          />
        </FieldRoot>
      )}
      <Flex gap="3" wrap="wrap" align="center">
        <ActButton size="sm" variant="outline" actor={actor} act={act} blocked={whyNot}>
          {acting ? 'Sending …' : `Send in the sandbox${method === 'GET' ? '' : ' …'}`}
        </ActButton>
        {whyNot && <Text color="fg.muted">{whyNot}</Text>}
      </Flex>
      {asked && (
        <ConfirmDialog
          title="Send it in the sandbox?"
          confirmLabel="Send"
          onClose={() => actor.send({ type: 'dismiss' })}
          onConfirm={() => actor.send({ type: 'confirm' })}
        >
          <Text>
            The sandbox executes {method} {address}, as if a program of the company had sent it.
          </Text>
        </ConfirmDialog>
      )}
      {failure && <FailurePanel problem={failure} />}
      <div role="status">{done && <Received entry={result} what={`response to the example: ${summary}`} />}</div>
    </Stack>
  );
}
