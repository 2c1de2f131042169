import { readdirSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .map((file) => `src/${file.replaceAll('\\', '/')}`)
  .filter((file) => file.endsWith('.tsx'))
  .sort();

const sourceOf = (file: string) =>
  ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);

/** All nodes of a file that `is` holds for. */
function nodesIn<Node extends ts.Node>(file: string, is: (node: ts.Node) => node is Node): Node[] {
  const found: Node[] = [];
  const visit = (node: ts.Node): void => {
    if (is(node)) found.push(node);
    ts.forEachChild(node, visit);
  };
  visit(sourceOf(file));
  return found;
}

const textOf = (attribute: ts.JsxAttributes['properties'][number]): string => attribute.getText().replace(/\s+/g, ' ');

describe('navigation in the page', () => {
  // A link is announced as one, and can be opened in another tab; a button acts.
  it('without a link is limited to the listed components (behaviour 2.9)', () => {
    const isNavigation = (node: ts.Node): node is ts.CallExpression =>
      ts.isCallExpression(node) && node.expression.getText() === 'useNavigate';
    expect(files.filter((file) => nodesIn(file, isNavigation).length > 0)).toEqual([
      'src/app/console/ConsoleProvider.tsx',
      'src/app/frame/palette/Palette.tsx',
      'src/app/home/overview/PathCompleted.tsx',
      'src/app/journey/GuidedHeader.tsx',
      'src/app/tools/lab/LabPage.tsx',
      'src/app/tools/lab/PracticeMatrix.tsx',
      'src/app/tools/lab/RunBar.tsx',
      'src/app/tools/lab/RunsPage.tsx',
      'src/app/tools/lab/SituationsSection.tsx',
    ]);
  });

  // An address within the console goes through the router: another document would lose what the page holds.
  it('to another document is limited to downloads, new tabs, sign-in and error recovery (behaviour 2.9)', () => {
    const isElement = (node: ts.Node): node is ts.JsxAttributes =>
      ts.isJsxAttributes(node) && node.properties.some((each) => textOf(each).startsWith('href='));
    const leaves = files.flatMap((file) =>
      nodesIn(file, isElement).flatMap(({ properties }) => {
        const [texts, href] = [properties.map(textOf), properties.map(textOf).find((each) => each.startsWith('href='))];
        const isElsewhere = texts.some((each) => /^download\b|^target="_blank"/.test(each));
        const isHere = /^href=("#|\{`#)/.test(href ?? '');
        return isElsewhere || isHere ? [] : [`${file} ${href}`];
      }),
    );
    expect(leaves).toEqual([
      // In the files of docs/charts only: in the page the states are buttons.
      'src/app/charts/ChartDrawing.tsx href={`${invokes}.svg`}',
      'src/app/frame/ErrorBoundary.tsx href="/"',
      'src/ui/FailurePanel.tsx href={signInAddress()}',
    ]);
  });
});
