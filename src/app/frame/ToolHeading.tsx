import { Text } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { Skeleton } from '#ui/Skeleton.tsx';
import { Card, Stack } from '#ui/surfaces.tsx';
import { Eyebrow, PageHeading } from './PageHeading.tsx';
import { tools, type ToolPath } from './pages.ts';

/** The heading and the purpose of a tool's page; `children` continue the purpose. */
export function ToolHeading({ path, children }: { path: ToolPath; children?: ReactNode }) {
  const tool = tools.find((each) => each.path === path)!; // the list has them all
  return (
    <div>
      <Eyebrow>Tools</Eyebrow>
      <PageHeading>{tool.title}</PageHeading>
      {tool.purpose !== '' && (
        <Text color="fg.muted" maxWidth="measure">
          {tool.purpose} {children}
        </Text>
      )}
    </div>
  );
}

/** A card of the height of a window, until what it is to show has been read. */
export const CardSkeleton = () => (
  <Card size="lg" minHeight="32rem" alignContent="start">
    <Skeleton lines={6} />
  </Card>
);

/** Stands where a tool's page will, with its heading, until its code has loaded. */
export const placeholderOf = (path: ToolPath) =>
  function ToolPlaceholder() {
    return (
      <Stack gap="5">
        <ToolHeading path={path} />
        <CardSkeleton />
      </Stack>
    );
  };
