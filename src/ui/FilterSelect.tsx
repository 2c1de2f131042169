import { Box, chakra } from '@chakra-ui/react';
import { useEffect, useId, useLayoutEffect, useRef, useState, type KeyboardEvent } from 'react';
import { Input } from './Field.tsx';
import { matching } from './match.ts';
import { visuallyHidden } from './visuallyHidden.ts';

/** The part of the window that the bars do not cover, in px from its top; derived from the page's scroll padding. */
function free(): { top: number; bottom: number } {
  const { scrollPaddingTop, scrollPaddingBottom } = getComputedStyle(document.documentElement);
  return { top: parseFloat(scrollPaddingTop) || 0, bottom: innerHeight - (parseFloat(scrollPaddingBottom) || 0) };
}

/**
 * Places a control's list above the control (`data-above`) if it does not fit below and there is more room above;
 * otherwise the bar would cover the list of the last control on a page. Sets `--room` to the available height in px.
 */
function placeList(list: HTMLElement, control: HTMLElement): void {
  const { top, bottom } = control.getBoundingClientRect();
  const { height } = list.getBoundingClientRect();
  const [above, below] = [top - free().top, free().bottom - bottom];
  const isAbove = height > below && above > below;
  list.toggleAttribute('data-above', isAbove);
  list.style.setProperty('--room', `${Math.max(isAbove ? above : below, 0)}px`);
}

export interface Option {
  value: string;
  label: string;
  /** A text that finds the option besides its label. */
  search?: string;
  /** Why the option is disabled; absent if it is enabled. */
  blocked?: string;
}

/** Maximum number of options rendered at once; typing finds the others. */
const mostShown = 200;

/**
 * The select with its list. All styles are those of this element, which is on the page from the start: a rule that is
 * inserted when the list opens makes the browser style and lay out the whole page anew.
 */
const Root = chakra('div', {
  base: {
    position: 'relative',
    width: 'full',
    '& > div': {
      position: 'absolute',
      insetInlineStart: '0',
      top: '100%',
      zIndex: 'bar',
      width: 'max-content',
      minWidth: 'full',
      // `--popover`: the width of a column that scrolls, which would cut a wider list off.
      maxWidth: 'min(var(--popover, {sizes.popover}), calc(100vw - 3rem))',
      bg: 'bg',
      borderWidth: '1px',
      borderColor: 'border.control',
      borderRadius: 'sm',
    },
    '& > [data-above]': { top: 'auto', bottom: '100%' },
    '& > [data-closed]': { ...visuallyHidden, minWidth: '0', borderWidth: '0' },
    '& ul': { maxHeight: 'min({sizes.list}, max(var(--room, 100dvh), 6rem))', overflow: 'auto' },
    '& li': { px: '2', py: '1.5', cursor: 'pointer', overflowWrap: 'anywhere' },
    '& li[data-active=true]': { bg: 'accent.subtle' },
    '& li[aria-selected=true]': { fontWeight: 'medium' },
    '& li[aria-disabled=true]': { color: 'fg.muted', cursor: 'default' },
    '& small': { display: 'block', fontSize: 'sm' },
    '& p': { px: '2', py: '1.5', color: 'fg.muted' },
    '& p:empty': { p: '0' },
  },
});

/** A notice that some options are not shown, or that there are none; otherwise ''. Announced when it changes. */
function noticeOf(term: string, shown: number, all: number): string {
  if (all > shown) return `The first ${shown} of ${all}; type to find others`;
  if (all > 0) return '';
  return term.trim() ? `No results for "${term.trim()}"` : 'No options';
}

/**
 * A select that filters its options while typing (behaviour, section 8: 'no results for term'), for use inside a
 * FieldRoot, whose label names it. Arrow keys move through the options, Enter chooses the active one, Tab does so
 * after typing, Escape closes the list without a change. `placeholder` is shown while no option is chosen.
 */
export function FilterSelect(props: {
  options: readonly Option[];
  value: string;
  onChange: (value: string) => void;
  placeholder: string;
  name?: string;
  /** The language of the options' labels, if it differs from the page's. */
  lang?: string | undefined;
}) {
  const { options, value, onChange, placeholder, name, lang } = props;
  const id = useId();
  const field = useRef<HTMLDivElement>(null);
  const popover = useRef<HTMLDivElement>(null);
  const [term, setTerm] = useState<string>(); // undefined: closed
  const [pointed, setPointed] = useState<string>(); // value of the option reached by arrow keys or pointer
  const [focused, setFocused] = useState(false);
  const chosen = options.find((option) => option.value === value);
  // The placeholder already shows the label of the empty option.
  const text = chosen?.value === '' && chosen.label === placeholder ? '' : (chosen?.label ?? '');
  const open = term !== undefined;
  const matches = open ? matching(options, term) : [];
  const shown = matches.slice(0, mostShown);
  const first = (term === '' && shown.find((option) => option === chosen)) || shown.find(({ blocked }) => !blocked);
  const active = shown.find((option) => option.value === pointed) ?? first ?? shown[0];
  const optionId = (option: Option) => `${id}${options.indexOf(option)}`;

  useLayoutEffect(() => {
    if (open && popover.current && field.current) placeList(popover.current, field.current);
  }, [open]);
  useEffect(() => {
    if (!open) return;
    popover.current?.scrollIntoView({ block: 'nearest' });
    popover.current?.querySelector('[data-active=true]')?.scrollIntoView({ block: 'nearest' });
  }, [open, term, active?.value]);

  const show = (typed: string | undefined) => {
    setTerm(typed);
    setPointed(undefined);
  };
  const choose = (option: Option) => {
    if (option.blocked) return;
    show(undefined);
    if (option.value !== value) onChange(option.value);
  };
  const step = (by: number) => {
    const at = active ? shown.indexOf(active) : -1;
    if (open) setPointed(shown[Math.min(Math.max(at + by, 0), shown.length - 1)]?.value);
    else show('');
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Tab' && term && active) choose(active);
    if (!open && !['ArrowDown', 'ArrowUp'].includes(event.key)) return;
    if (!['ArrowDown', 'ArrowUp', 'Enter', 'Escape'].includes(event.key)) return;
    event.preventDefault(); // keeps Enter from submitting the form, Escape from closing the surrounding dialog
    if (event.key === 'ArrowDown') step(1);
    else if (event.key === 'ArrowUp') step(-1);
    else if (event.key === 'Escape') show(undefined);
    else if (active) choose(active);
  };

  return (
    <Root ref={field}>
      <Input
        role="combobox"
        autoComplete="off"
        spellCheck={false}
        pe="8"
        textOverflow="ellipsis"
        placeholder={placeholder}
        value={term ?? text}
        name={name}
        data-value={value}
        lang={term === undefined && text ? lang : undefined}
        aria-autocomplete="list"
        aria-expanded={open}
        aria-controls={shown.length > 0 ? `${id}list` : undefined}
        aria-activedescendant={active && optionId(active)}
        onFocus={(event) => {
          setFocused(true);
          event.currentTarget.select();
        }}
        onClick={() => !open && show('')}
        onBlur={() => {
          setFocused(false);
          show(undefined);
        }}
        onChange={(event) => show(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <Box
        as="span"
        aria-hidden="true"
        position="absolute"
        insetEnd="2"
        top="50%"
        transform="translateY(-50%)"
        pointerEvents="none"
        color="fg.muted"
        css={{
          'input:disabled ~ &': { opacity: 0.4, '@media (forced-colors: active)': { color: 'GrayText', opacity: 1 } },
        }}
      >
        ▾
      </Box>
      {/* Before it opens, it holds the region whose changes are announced. */}
      {(open || focused) && (
        <div
          ref={popover}
          data-closed={open ? undefined : ''}
          // A mouse press in the list must not take the focus from the input: its blur closes the list.
          onMouseDown={(event) => event.preventDefault()}
        >
          {shown.length > 0 && (
            <ul id={`${id}list`} role="listbox" aria-label="Choices">
              {shown.map((option) => (
                <li
                  key={optionId(option)}
                  id={optionId(option)}
                  role="option"
                  data-value={option.value}
                  data-active={option === active}
                  aria-selected={option === chosen}
                  aria-disabled={option.blocked !== undefined}
                  onPointerMove={() => setPointed(option.value)}
                  onClick={() => choose(option)}
                >
                  {lang && option.value !== '' ? <span lang={lang}>{option.label}</span> : option.label}
                  {option.blocked && <small>{option.blocked}</small>}
                </li>
              ))}
            </ul>
          )}
          <p role="status">{open && noticeOf(term, shown.length, matches.length)}</p>
        </div>
      )}
    </Root>
  );
}
