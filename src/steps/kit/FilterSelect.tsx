import { Box, chakra } from '@chakra-ui/react';
import { Command } from 'cmdk';
import { useState } from 'react';

export interface Option {
  value: string;
  label: string;
  /** Shown, but not to be chosen. */
  disabled?: boolean;
}

const List = chakra(Command.List, {
  base: {
    position: 'absolute',
    insetInline: '0',
    top: '100%',
    zIndex: 'bar',
    maxHeight: 'list',
    maxWidth: 'popover',
    overflow: 'auto',
    bg: 'bg',
    borderWidth: '1px',
    borderRadius: 'sm',
  },
});

const Item = chakra(Command.Item, {
  base: {
    px: '2',
    py: '1.5',
    cursor: 'pointer',
    '&[data-selected=true]': { bg: 'accent.subtle' },
    '&[data-disabled=true]': { color: 'fg.muted', cursor: 'default' },
  },
});

const Input = chakra(Command.Input, {
  base: {
    width: 'full',
    height: '8',
    px: '2',
    bg: 'bg',
    borderWidth: '1px',
    borderColor: 'border.control',
    borderRadius: 'sm',
    _invalid: { borderColor: 'failed' },
  },
});

/**
 * A select for long lists that filters as one types (spec, section 8: 'no results for term'). `id` is that of the
 * element around the input, which has an id of cmdk's.
 */
export function FilterSelect(props: {
  id: string;
  label: string;
  options: readonly Option[];
  value: string;
  onChange: (value: string) => void;
  invalid?: boolean;
  describedBy?: string;
}) {
  const { id, label, options, value, onChange, invalid = false, describedBy } = props;
  const [term, setTerm] = useState<string>();
  const chosen = options.find((option) => option.value === value)?.label ?? '';
  return (
    <Box id={id} position="relative">
      <Command
        label={label}
        onBlur={(event) => !event.currentTarget.contains(event.relatedTarget) && setTerm(undefined)}
        onKeyDown={({ key }) => {
          if (key === 'Escape') setTerm(undefined);
          if (key === 'ArrowDown') setTerm((typed) => typed ?? '');
        }}
      >
        <Input
          value={term ?? chosen}
          placeholder={`Choose from ${options.length}`}
          aria-invalid={invalid}
          aria-describedby={describedBy}
          aria-expanded={term !== undefined}
          onFocus={(event) => event.currentTarget.select()}
          onClick={() => setTerm('')}
          onValueChange={setTerm}
        />
        {/* Closed it stays, because the input refers to it. */}
        <List label={`Choices for ${label}`} hidden={term === undefined}>
          <Command.Empty>
            <Box p="2" color="fg.muted">{`No results for "${term}"`}</Box>
          </Command.Empty>
          {options.map((option) => (
            <Item
              key={option.value}
              value={option.value}
              keywords={[option.label]}
              disabled={option.disabled ?? false}
              onSelect={() => {
                onChange(option.value);
                setTerm(undefined);
              }}
            >
              {option.label}
            </Item>
          ))}
        </List>
      </Command>
    </Box>
  );
}
