import { Button, Flex, Text } from '@chakra-ui/react';
import { FieldLabel, FieldRoot, Input } from './Field.tsx';

/** The filter box of a list, at the end of its line. Enter does not submit a surrounding form. */
export function FilterBox(props: { label: string; term: string; onChange: (term: string) => void }) {
  const { label, term, onChange } = props;
  return (
    <FieldRoot
      flex="1 1 14rem"
      maxWidth="22rem"
      ms="auto"
      flexDirection="row"
      alignItems="center"
      gap="2"
      css={{ '& > label': { width: 'auto', flex: 'none' } }}
    >
      <FieldLabel>{label}</FieldLabel>
      <Input
        type="search"
        autoComplete="off"
        value={term}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
      />
    </FieldRoot>
  );
}

/** Buttons for the pages of a list. `page` counts from 1; `caption` names the rows, `of` is their number. */
export function Pager(props: {
  caption: string;
  page: number;
  pageSize: number;
  of: number;
  onPage: (page: number) => void;
}) {
  const { caption, page, pageSize, of, onPage } = props;
  const last = Math.ceil(of / pageSize);
  const to = (label: string, target: number) => (
    <Button
      type="button"
      size="sm"
      aria-disabled={target === page}
      title={target === page ? (page === 1 ? 'This is the first page' : 'This is the last page') : undefined}
      onClick={() => onPage(target)}
    >
      {label}
    </Button>
  );
  return (
    <Flex as="nav" aria-label={`Pages of ${caption}`} align="center" gap="2" wrap="wrap">
      {to('First', 1)}
      {to('Previous', Math.max(1, page - 1))}
      <Text aria-live="polite">
        {(page - 1) * pageSize + 1} to {Math.min(page * pageSize, of)} of {of}
      </Text>
      {to('Next', Math.min(last, page + 1))}
      {to('Last', last)}
    </Flex>
  );
}
