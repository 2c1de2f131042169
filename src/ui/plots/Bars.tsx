import type { ReactNode } from 'react';
import { Block, Columns, Cross } from './Plot.tsx';

/** A column: how many there are, how many of them failed, and what it says on hover. */
export interface BarColumn {
  key: number;
  total: number;
  failed: number;
  title: string;
}

const percent = (share: number): string => `${share * 100}%`;

/** Numbers in columns, linear from 0 to the largest: what failed is at the foot, with a cross above the column. */
export function Bars({ columns }: { columns: readonly BarColumn[] }): ReactNode {
  const most = Math.max(1, ...columns.map(({ total }) => total));
  return (
    <Columns>
      {columns.map(({ key, total, failed, title }) => (
        <div key={key} title={total > 0 ? title : undefined}>
          {failed > 0 && <Block bg="plot.failed" style={{ height: percent(failed / most) }} />}
          {total > failed && <Block bg="plot.read" style={{ height: percent((total - failed) / most) }} />}
          {failed > 0 && <Cross aria-hidden="true">✕</Cross>}
        </div>
      ))}
    </Columns>
  );
}
