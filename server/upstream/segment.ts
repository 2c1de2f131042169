import { Failure } from '#server/failure.ts';

/** Encodes an id as one segment of a path. Throws for `.` and `..`, which change the path even if they are encoded. */
export function segment(id: string): string {
  if (/^\.{1,2}$/.test(id)) throw new Failure('invalid-request', `${id} is not an id.`);
  return id;
}
