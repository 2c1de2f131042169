import { chakra } from '@chakra-ui/react';
import { Columns, Cross } from './Plot.tsx';

/** What happened in a span of time, a mark each: whether it failed. */
export interface DotColumn {
  key: number;
  failed: readonly boolean[];
  title: string;
}

/** From this number on, a column is a bar with its number. */
const mostDots = 8;

const Dot = chakra('i', {
  base: {
    width: '7px',
    height: '7px',
    mb: '3px',
    mx: 'auto',
    flex: 'none',
    borderRadius: 'full',
    bg: 'accent',
    '@media (forced-colors: active)': { forcedColorAdjust: 'none', background: 'CanvasText' },
  },
});
const Tall = chakra('span', {
  base: {
    height: '80px',
    borderRadius: '2px',
    bg: 'accent',
    color: 'accent.contrast',
    fontSize: 'xs',
    lineHeight: 'xs',
    textAlign: 'center',
    overflow: 'hidden',
  },
});

/** One mark for each event, those of a span of time above each other. */
export const Dots = ({ columns }: { columns: readonly DotColumn[] }) => (
  <Columns>
    {columns.map(({ key, failed, title }) => (
      <div key={key} title={failed.length > 0 ? title : undefined}>
        {failed.length > mostDots ? (
          <>
            <Tall>{failed.length}</Tall>
            {failed.includes(true) && <Cross aria-hidden="true">✕</Cross>}
          </>
        ) : (
          failed.map((isFailed, index) =>
            isFailed ? (
              <Cross key={index} aria-hidden="true">
                ✕
              </Cross>
            ) : (
              <Dot key={index} />
            ),
          )
        )}
      </div>
    ))}
  </Columns>
);
