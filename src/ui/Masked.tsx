import { chakra } from '@chakra-ui/react';
import { Fragment } from 'react';

/** The name that stands for a secret in what is recorded and copied: `$TOKEN`, `$API_KEY`. */
const secretName = /(\$(?:[A-Z]+_)*(?:TOKEN|KEY|SECRET|SIGNATURE)\d*)(?!\w)/;

const Chip = chakra('span', {
  base: {
    px: '1',
    borderRadius: 'xs',
    bg: 'bg.muted',
    color: 'fg.muted',
    // Forced colours remove the background and show the border.
    borderWidth: '1px',
    borderColor: 'transparent',
    // Neither searched, copied nor part of the value.
    _after: { content: '" masked"', fontFamily: 'body' },
  },
});

/** A text of a record, in which each name that stands for a secret is a grey chip "masked", with the reason. */
export const Masked = ({ text }: { text: string }) =>
  text.split(secretName).map((part, index) =>
    index % 2 === 0 ? (
      <Fragment key={index}>{part}</Fragment>
    ) : (
      <Chip key={index} title={`A secret stays on the server. Copied code reads it as ${part} from its environment.`}>
        {part}
      </Chip>
    ),
  );
