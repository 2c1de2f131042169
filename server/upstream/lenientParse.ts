import { z } from 'zod';
import { shapeError } from '#contract/shapeError.ts';
import { identities } from '#contract/shape.ts';
import { ExactNumber, isObject } from '#contract/json.ts';

/** A part of an answer that was skipped, with its path and the reason. */
export interface Skipped {
  path: string;
  message: string;
}

/** Maximum number of skipped parts reported per answer; the last line gives the number of the others. */
const maximumSkipped = 50;
/** Maximum number of characters of the service's names and values in a report. */
const maximumShown = 100;

/** Marks a value that could not be read; its container decides whether to skip it. */
const unreadable = Symbol('unread');
type Place = readonly (string | number)[];

const isScalar = (value: unknown): value is string | number | boolean | ExactNumber =>
  ['string', 'number', 'boolean'].includes(typeof value) || value instanceof ExactNumber;

/** Describes the type or value found, for a message. */
function describeValue(value: unknown): string {
  if (value === undefined || value === null) return 'is missing';
  if (Array.isArray(value)) return 'is a list';
  if (typeof value === 'string') return 'is a text';
  return isScalar(value) ? `is ${String(value).slice(0, maximumShown)}` : 'is an object';
}

const membersOf = (schema: z.ZodObject) => Object.entries<z.core.$ZodType>(schema.shape);

class Reader {
  readonly reported: Skipped[] = [];
  unreported = 0;
  /** The fault that has not been skipped yet by a container. */
  fault: { place: Place; message: () => string } | undefined;
  readonly #place: (string | number)[] = [];

  #fail(message: () => string): typeof unreadable {
    this.fault = { place: [...this.#place], message };
    return unreadable;
  }

  /** Takes a function, which is called only if the fault is reported: an answer may have a hundred thousand faults. */
  #tell(message: () => string): void {
    if (this.reported.length < maximumSkipped) this.reported.push({ path: this.#place.join('.'), message: message() });
    else this.unreported += 1;
  }

  /** Reports the part skipped here, and the path of the fault within it. */
  #skip(): void {
    const { place = [], message = () => '' } = this.fault ?? {};
    this.#tell(() => {
      const within = place.slice(this.#place.length).join('.');
      return within ? `${within} ${message()}` : message();
    });
    this.fault = undefined;
  }

  #at(step: string | number, schema: z.core.$ZodType, value: unknown): unknown {
    this.#place.push(step);
    const read = this.read(schema, value);
    this.#place.pop();
    return read;
  }

  read(schema: z.core.$ZodType, value: unknown): unknown {
    if (schema instanceof z.ZodOptional) return this.#spare(schema.unwrap(), value, undefined);
    if (schema instanceof z.ZodNullable) return value === null ? null : this.read(schema.unwrap(), value);
    if (schema instanceof z.ZodDefault) return this.#spare(schema.unwrap(), value, schema.def.defaultValue);
    if (schema instanceof z.ZodAny) return value;
    if (schema instanceof z.ZodObject) return this.#object(schema, value);
    if (schema instanceof z.ZodArray) return this.#list(schema, value);
    if (schema instanceof z.ZodRecord) return this.#record(schema, value);
    if (schema instanceof z.ZodString) return this.#text(schema, value);
    return this.#scalar(schema, value);
  }

  /** Reads an optional member; null counts as absent, and an unreadable value is skipped. */
  #spare(schema: z.core.$ZodType, value: unknown, instead: unknown): unknown {
    if (value === undefined || value === null) return instead;
    const read = this.read(schema, value);
    if (read !== unreadable) return read;
    this.#skip();
    return instead;
  }

  #object(schema: z.ZodObject, value: unknown): unknown {
    if (!isObject(value)) return this.#fail(() => `${describeValue(value)}, an object was expected`);
    const understood: [string, unknown][] = [];
    for (const [name, member] of membersOf(schema)) {
      const read = this.#at(name, member, Object.hasOwn(value, name) ? value[name] : undefined);
      if (read === unreadable) return unreadable;
      understood.push([name, read]);
    }
    const read: Record<string, unknown> = { ...value };
    for (const [name, each] of understood)
      if (each === undefined) delete read[name];
      else read[name] = each;
    return read;
  }

  #list({ element }: z.ZodArray, value: unknown): unknown {
    if (!Array.isArray(value)) return this.#fail(() => `${describeValue(value)}, a list was expected`);
    const member = identities.get(element)?.member;
    const known = new Set<unknown>();
    return value.flatMap((each: unknown, index) => {
      this.#place.push(index);
      const read = this.read(element, each);
      const id = member !== undefined && isObject(read) ? read[member] : undefined;
      const repeated = id !== undefined && known.has(id);
      if (read === unreadable) this.#skip();
      else if (repeated)
        this.#tell(() => `the ${member} ${isScalar(id) ? String(id).slice(0, maximumShown) : ''} is an earlier one's`);
      else known.add(id);
      this.#place.pop();
      return read === unreadable || repeated ? [] : [read];
    });
  }

  #record({ valueType }: z.ZodRecord, value: unknown): unknown {
    if (!isObject(value)) return this.#fail(() => `${describeValue(value)}, an object was expected`);
    return Object.fromEntries(
      Object.entries(value).flatMap(([name, each]) => {
        this.#place.push(name.slice(0, maximumShown));
        const read = this.read(valueType, each);
        if (read === unreadable) this.#skip();
        this.#place.pop();
        return read === unreadable ? [] : [[name, read]];
      }),
    );
  }

  /**
   * Reads a text. Numbers and booleans are converted to text, because enumerations contain them. Of the schema's checks
   * only patterns are applied.
   */
  #text(schema: z.ZodString, value: unknown): unknown {
    if (typeof value === 'string') return this.#matching(schema, value);
    if (typeof value !== 'number' && typeof value !== 'boolean' && !(value instanceof ExactNumber))
      return this.#fail(() => `${describeValue(value)}, a text was expected`);
    this.#tell(() => `${describeValue(value)}, which is taken for a text`);
    return this.#matching(schema, String(value));
  }

  #matching(schema: z.ZodString, text: string): unknown {
    if (!schema.def.checks?.length) return text;
    const { data = text, error } = schema.safeParse(text);
    const flaw = error?.issues.find(({ code }) => code === 'invalid_format');
    return flaw ? this.#fail(() => `is not ${flaw.message}`) : data;
  }

  #scalar(schema: z.core.$ZodType, value: unknown): unknown {
    const { data, error } = z.safeParse(schema, value instanceof ExactNumber ? Number(value.digits) : value, {
      error: shapeError,
    });
    return error ? this.#fail(() => `${describeValue(value)}; expected: ${error.issues[0]?.message}`) : data;
  }
}

/** The value, and the parts that were skipped; or the fault that made the whole answer unreadable. */
export type LenientResult<T> = { value: T; skipped: Skipped[] } | { fault: Skipped };

/**
 * Reads an answer by a schema made of objects, lists, optional members, defaults, texts and other scalars. Skips a
 * value that does not fit, together with the nearest list element or optional member that contains it; null counts as
 * absent. Of several elements with the same id (contract, identities), returns only the first. Takes time proportional
 * to the size of `value`.
 */
export function lenientParse<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
): LenientResult<z.output<Schema>> {
  const reader = new Reader();
  const read = reader.read(schema, value);
  if (read === unreadable) {
    const { place = [], message = () => '' } = reader.fault ?? {};
    return { fault: { path: place.join('.'), message: message() } };
  }
  const { reported, unreported } = reader;
  const skipped =
    unreported === 0 ? reported : [...reported, { path: '', message: `${unreported} more are not listed` }];
  return { value: read as z.output<Schema>, skipped }; // read by this schema
}
