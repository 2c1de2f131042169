import { Button, chakra, Flex } from '@chakra-ui/react';
import { useMemo, useState } from 'react';
import type { FileFormat, LocalInstrument, Provider } from '#contract/lookup.ts';
import { counted } from '#rules/counted.ts';
import { countryName } from '#rules/country.ts';
import { distinctOptions } from '#rules/distinctOptions.ts';
import { sampleLines } from '#rules/paymentFile/sample.ts';
import { serverNow } from '#ui/clock.ts';
import { Stack } from '#ui/surfaces.tsx';
import { Cards, DefinitionCard, ProviderCard } from '../kit/DefinitionCard.tsx';

export type Definition = Provider | FileFormat;

export const isProvider = (definition: Definition): definition is Provider => 'accountType' in definition;
export const idOf = (definition: Definition): string =>
  isProvider(definition) ? definition.providerId : definition.fileFormatId;

/** Lines of a file on a card, and columns of each. */
const [most, widest] = [4, 120];

/** Cards that each press of a button adds. */
const page = 24;

/** The beginning of the file that a template writes, of one payment with the examples of its rules. */
function FilePicture({ format }: { format: FileFormat }) {
  const [now] = useState(() => new Date(serverNow()));
  const lines = useMemo(() => sampleLines(format, now, most), [format, now]);
  return (
    <chakra.span
      aria-hidden="true"
      display="block"
      bg="bg.muted"
      borderRadius="sm"
      p="2"
      overflow="hidden"
      whiteSpace="pre"
      fontFamily="mono"
      fontSize="xs"
      color="fg.muted"
    >
      {lines.map((line) => line.slice(0, widest)).join('\n')}
    </chakra.span>
  );
}

/** Providers or templates as cards; a press shows the raw JSON of one beside them. */
export function DefinitionCards(props: {
  definitions: readonly Definition[];
  instruments: readonly LocalInstrument[];
  /** The id of the one that is shown; '' for none. */
  chosen: string;
  onChoose: (id: string) => void;
}) {
  const { definitions, instruments, chosen, onChoose } = props;
  const [shown, setShown] = useState(page);
  const names = distinctOptions(
    definitions.map((definition) => ({
      value: idOf(definition),
      label: definition.name,
      ...(isProvider(definition) && { more: definition.country.map(countryName).join(', ') }),
    })),
  );
  return (
    <Stack gap="3">
      <Cards>
        {definitions.slice(0, shown).map((definition, index) => {
          const name = names[index]?.label ?? '';
          const id = idOf(definition);
          const choice = { pressed: id === chosen, onChoose: () => onChoose(id === chosen ? '' : id) };
          return (
            <li key={id}>
              {isProvider(definition) ? (
                <ProviderCard provider={definition} name={name} instruments={instruments} {...choice} />
              ) : (
                <DefinitionCard name={name} says={counted(definition.specification.rules.length, 'rule')} {...choice}>
                  <FilePicture format={definition} />
                </DefinitionCard>
              )}
            </li>
          );
        })}
      </Cards>
      {definitions.length > shown && (
        <Flex>
          <Button size="sm" onClick={() => setShown(shown + page)}>
            Show more of {counted(definitions.length, 'definition')}
          </Button>
        </Flex>
      )}
    </Stack>
  );
}
