import { Box, Flex } from '@chakra-ui/react';
import { useEffect } from 'react';
import type { Invoice } from '#contract/payment.ts';
import { wideHidden } from '#ui/cards.ts';
import { Checkbox } from '#ui/Field.tsx';

export const idOf = ({ invoiceId }: Invoice): string => invoiceId;

/** A checkbox. Without `label`, the surrounding label names it; `some` makes it indeterminate. */
export function Tick(props: {
  label?: string;
  checked: boolean;
  some?: boolean;
  onChange: (checked: boolean) => void;
}) {
  const { label, checked, some = false, onChange } = props;
  return (
    <Checkbox
      aria-label={label}
      checked={checked}
      ref={(input: HTMLInputElement | null) => void (input && (input.indeterminate = some))}
      onChange={(event) => onChange(event.target.checked)}
    />
  );
}

interface Choice {
  chosen: ReadonlySet<string>;
  onTick: (ids: readonly string[]) => void;
}

/** The header of the ticks: ticks or unticks all invoices in `shown` that are not paid; the others keep their state. */
export function TickAll({
  chosen,
  onTick,
  shown,
  filtered,
}: Choice & { shown: readonly Invoice[]; filtered: boolean }) {
  const open = shown.filter(({ payment }) => payment?.state !== 'paid');
  const ids = new Set(open.map(idOf));
  const on = open.filter(({ invoiceId }) => chosen.has(invoiceId)).length;
  const others = [...chosen].filter((id) => !ids.has(id));
  return (
    <Flex asChild gap="2" align="center">
      <label>
        <Tick
          checked={on > 0 && on === ids.size}
          some={on > 0 && on < ids.size}
          onChange={(checked) => onTick(checked ? [...others, ...ids] : others)}
        />
        <Box as="span" css={wideHidden}>
          {filtered ? `Select all ${ids.size} that the filter shows` : 'Select all invoices'}
        </Box>
      </label>
    </Flex>
  );
}

/** Reports how many ticked invoices the filter hides, none once it is gone; renders nothing. */
export function HiddenCount(props: {
  chosen: ReadonlySet<string>;
  shown: readonly Invoice[];
  onChange: (hidden: number) => void;
}) {
  const { chosen, shown, onChange } = props;
  const hidden = chosen.size - shown.filter(({ invoiceId }) => chosen.has(invoiceId)).length;
  useEffect(() => {
    onChange(hidden);
    return () => onChange(0);
  }, [hidden, onChange]);
  return null;
}
