import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { DockerfileParser, type Instruction } from 'dockerfile-ast';
import type { Copy } from 'dockerfile-ast/lib/instructions/copy.js';
import type { From } from 'dockerfile-ast/lib/instructions/from.js';

const containerfile = 'Containerfile';

/** One step that changes the files of an image. */
type Step =
  | { kind: 'run'; command: string }
  /** `from` is the stage; undefined for what is sent to the builder. */
  | { kind: 'copy'; from: string | undefined; sources: readonly string[]; to: string };

export interface Stage {
  name: string;
  image: string;
  workdir: string;
  steps: readonly Step[];
  /** The environment of its programs. */
  env: Readonly<Record<string, string>>;
  /** User and group, as numbers. */
  user: string;
  /** The arguments of these instructions in their JSON form; undefined in any other. */
  entrypoint: readonly string[] | undefined;
  command: readonly string[] | undefined;
  health: readonly string[] | undefined;
}

const words = (instruction: Instruction): string[] => instruction.getArguments().map((each) => each.getValue());

/** The strings of the JSON list at the end; undefined if there is none. */
function listOf(instruction: Instruction): string[] | undefined {
  const [list] = /\[.*\]$/s.exec(instruction.getArgumentsContent() ?? '') ?? [];
  return list === undefined ? undefined : (JSON.parse(list) as string[]); // the linter accepts nothing else
}

function added(stage: Stage, instruction: Instruction): Stage {
  const text = instruction.getArgumentsContent() ?? '';
  switch (instruction.getKeyword()) {
    case 'WORKDIR':
      return { ...stage, workdir: text };
    case 'RUN':
      return { ...stage, steps: [...stage.steps, { kind: 'run', command: text }] };
    case 'COPY': {
      const flags = (instruction as Copy).getFlags(); // by the keyword
      const from = flags.find((flag) => flag.getName() === 'from')?.getValue() ?? undefined;
      const sources = words(instruction);
      const to = sources.pop() ?? '';
      return { ...stage, steps: [...stage.steps, { kind: 'copy', from, sources, to }] };
    }
    case 'ENV': {
      const pairs = words(instruction).map((pair) => pair.split(/=(.*)/s).slice(0, 2) as [string, string]); // all are NAME=value
      return { ...stage, env: { ...stage.env, ...Object.fromEntries(pairs) } };
    }
    case 'USER':
      return { ...stage, user: text };
    case 'ENTRYPOINT':
      return { ...stage, entrypoint: listOf(instruction) };
    case 'CMD':
      return { ...stage, command: listOf(instruction) };
    case 'HEALTHCHECK':
      return { ...stage, health: listOf(instruction) };
    case 'VOLUME':
    case 'EXPOSE':
      return stage; // they change no file
    default:
      throw new Error(`The tests do not know ${instruction.toString()}`);
  }
}

/** The stages of the Containerfile, the image's own one last. Throws for an instruction that is not known here. */
export function stages(): Stage[] {
  const found: Stage[] = [];
  for (const instruction of DockerfileParser.parse(readFileSync(containerfile, 'utf8')).getInstructions()) {
    if (instruction.getKeyword() === 'FROM') {
      const from = instruction as From; // by the keyword
      found.push({
        name: from.getBuildStage() ?? '',
        image: from.getImage() ?? '',
        workdir: '/',
        steps: [],
        env: {},
        user: '',
        entrypoint: undefined,
        command: undefined,
        health: undefined,
      });
    } else found.push(added(found.pop()!, instruction)); // FROM is the first
  }
  return found;
}

/** Runs a stage's step in a folder that stands for `/`; `folderOf` gives the one of an earlier stage, and of the context. */
export function runStep(
  { workdir }: Stage,
  step: Step,
  folder: string,
  { folderOf, env }: { folderOf: (stage: string | undefined) => string; env: NodeJS.ProcessEnv },
): void {
  const here = join(folder, workdir);
  mkdirSync(here, { recursive: true });
  if (step.kind === 'run') {
    execFileSync('sh', ['-c', step.command], { cwd: here, env, stdio: ['ignore', 'pipe', 'pipe'] });
    return;
  }
  const to = step.to.startsWith('/') ? join(folder, step.to) : join(here, step.to);
  for (const source of step.sources) {
    const from = join(folderOf(step.from), source);
    const isInside = statSync(from).isFile() && (step.to.endsWith('/') || step.sources.length > 1);
    cpSync(from, isInside ? join(to, basename(from)) : to, { recursive: true });
  }
}
