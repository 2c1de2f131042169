import { chakra, createSlotRecipeContext } from '@chakra-ui/react';
import type { HTMLChakraProps } from '@chakra-ui/react';

const { withProvider, withContext } = createSlotRecipeContext({ key: 'segmentGroup' });
const Root = withProvider<HTMLDivElement, HTMLChakraProps<'div'>>('div', 'root');
const Item = withContext<HTMLButtonElement, HTMLChakraProps<'button'>>('button', 'item');

/** Buttons side by side for a few views of the same thing, one of which is shown. `labels` are in their order. */
export function SegmentedControl<Id extends string>(props: {
  label: string;
  labels: Readonly<Record<Id, string>>;
  /** The number of entries of each view; '' if it is not known yet. */
  counts?: Readonly<Record<Id, string>>;
  value: Id;
  onChange: (value: Id) => void;
}) {
  const { label, labels, counts, value, onChange } = props;
  return (
    <Root role="group" aria-label={label}>
      {(Object.keys(labels) as Id[]).map((id) => (
        // its own keys
        <Item key={id} type="button" aria-pressed={id === value} onClick={() => onChange(id)}>
          {labels[id]}{' '}
          {counts && (
            <chakra.span
              ms="0.5"
              display="inline-block"
              // Has room for two digits before the number is known.
              minWidth="2ch"
              textAlign="start"
              color="fg.muted"
              fontSize="xs"
              fontVariantNumeric="tabular-nums"
            >
              {counts[id]}
            </chakra.span>
          )}
        </Item>
      ))}
    </Root>
  );
}
