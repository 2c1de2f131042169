import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

/** The files of the console's data folder by which `verify` tells the console of the latest verification. */
export const reportFile = (folder: string): string => join(folder, 'verification.json');
export const progressFile = (folder: string): string => join(folder, 'verification-progress.json');

const call = z.object({
  number: z.int(),
  /** ISO time. */
  at: z.string(),
  method: z.string(),
  path: z.string(),
  /** 0 if there was no response. */
  status: z.int(),
  /** The kind of the fault that affected it; '' for none. */
  fault: z.string(),
  /** Beginning and end of its idempotency key; '' for none. */
  key: z.string(),
});

const scenario = z.object({
  id: z.string(),
  title: z.string(),
  calls: z.array(call),
  /** By the checks' ids. */
  verdicts: z.record(
    z.string(),
    z.object({
      verdict: z.enum(['passed', 'failed', 'not exercised']),
      /** `mend`: how to mend this one; '' for the check's own advice. */
      seen: z.array(z.object({ says: z.string(), calls: z.array(z.int()), mend: z.string().default('') })),
    }),
  ),
});

/** An earlier verdict on the same program: how many checks passed, and the ids of those that failed and may not. */
const past = z.object({ endedAt: z.string(), passed: z.int(), failed: z.array(z.string()) });

/** The latest verification of a program; scenarios that ran alone since have replaced their predecessors. */
const reportShape = z.object({
  version: z.literal(1),
  /** The command as it is shown, without secrets. */
  command: z.string(),
  /** What runs it again: the options, the program and its arguments; absent if they contain a secret. */
  again: z.object({ options: z.array(z.string()), program: z.array(z.string()).min(1) }).optional(),
  /** The folder in which it was started. */
  folder: z.string(),
  endedAt: z.string(),
  /** How long the latest run took, and how many scenarios it judged; all in a report without this number. */
  ms: z.number(),
  latest: z.int().optional(),
  /** How many scenarios there are; those of the report in one without this number. */
  all: z.int().optional(),
  /** Why checks may fail, by their ids. */
  allowed: z.record(z.string(), z.string()).default({}),
  scenarios: z.array(scenario),
  /** Oldest first. */
  earlier: z.array(past).default([]),
});

/** A verification that runs, or that ended without a verdict. */
const progressShape = z.object({
  version: z.literal(1),
  pid: z.int(),
  startedAt: z.string(),
  done: z.int(),
  of: z.int(),
  /** Why it ended without a verdict; '' while it runs. */
  failure: z.string(),
});

export type StoredReport = z.infer<typeof reportShape>;
export type StoredPast = z.infer<typeof past>;
export type StoredScenario = z.infer<typeof scenario>;
export type StoredProgress = z.infer<typeof progressShape>;

/** Reads one of the files; null if it is absent, or was not written by this version of `verify`. */
async function readStored<Shape extends z.ZodType>(path: string, shape: Shape): Promise<z.infer<Shape> | null> {
  try {
    return shape.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch {
    return null;
  }
}

export const readReport = (folder: string) => readStored(reportFile(folder), reportShape);
export const readProgress = (folder: string) => readStored(progressFile(folder), progressShape);
