import { isObject } from '#contract/json.ts';

/** A JSON schema as the description has it. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: JsonSchema | boolean;
  readonly items?: JsonSchema;
  readonly pattern?: string;
  readonly format?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  /** Whether it repeats what the request said, with members of the sender's own. */
  readonly 'x-repeats'?: boolean;
}

/** A place at which a value is not as described. */
export interface Difference {
  path: readonly (string | number)[];
  expected: string;
  /** What came, by its kind; a value only where the description lists values. */
  came: string;
}

/** What is expected of a member that is not described. */
export const noMember = 'no such member';

interface Options {
  /** The schemas to which `$ref` points, by name. */
  schemas: Readonly<Record<string, JsonSchema>>;
  /** Whether members that are not described count. */
  closed: boolean;
}

/** Maximum number of differences of one body; a list of thousands may differ in each element. */
const most = 2000;
const longestValue = 60;

const kinds: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
  null: 'null',
};

/** Returns the kind of a value in words. */
export function kindOf(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return kinds[typeof value] ?? 'an object';
}

const shown = (value: unknown): string =>
  typeof value === 'object' ? kindOf(value) : JSON.stringify(value).slice(0, longestValue);

/** What JSON Schema calls formats, as far as the description uses them. */
const formats: Readonly<Record<string, (text: string) => boolean>> = {
  'date-time': (text) =>
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/i.test(text) && !Number.isNaN(Date.parse(text)),
  uri: (text) => URL.canParse(text),
  uuid: (text) => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text),
};

function isOfType(type: string, value: unknown): boolean {
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return isObject(value);
  if (type === 'null') return value === null;
  return type === 'integer' ? Number.isInteger(value) : typeof value === type;
}

class Comparison {
  readonly found: Difference[] = [];
  readonly #options: Options;
  readonly #path: (string | number)[] = [];

  constructor(options: Options) {
    this.#options = options;
  }

  #tell(expected: string, came: string): void {
    if (this.found.length < most) this.found.push({ path: [...this.#path], expected, came });
  }

  #at(step: string | number, schema: JsonSchema, value: unknown, closed: boolean): void {
    this.#path.push(step);
    this.compare(schema, value, closed);
    this.#path.pop();
  }

  #expected(schema: JsonSchema): string {
    const { type, anyOf, oneOf, $ref } = schema;
    if ($ref !== undefined) return this.#expected(this.#resolved($ref));
    const types = [type ?? []].flat();
    if (schema.const !== undefined) return shown(schema.const);
    if (schema.enum) return `one of ${schema.enum.map((each) => String(each)).join(', ')}`;
    const alternatives = anyOf ?? oneOf;
    if (alternatives) return [...new Set(alternatives.map((each) => this.#expected(each)))].join(' or ');
    return types.map((each) => kinds[each] ?? each).join(' or ') || 'a value';
  }

  #resolved(ref: string): JsonSchema {
    const schema = this.#options.schemas[ref.slice(ref.lastIndexOf('/') + 1)];
    if (!schema) throw new Error(`The description has no schema ${ref}`);
    return schema;
  }

  /** Compares with the alternative that fits best: one without differences, otherwise one of the value's type. */
  #alternatives(schemas: readonly JsonSchema[], value: unknown, closed: boolean): void {
    const tried = schemas.map((schema) => {
      const comparison = new Comparison(this.#options);
      comparison.compare(schema, value, closed);
      return comparison.found;
    });
    if (tried.some((found) => found.length === 0)) return;
    const inner = tried.find((found) => found.every(({ path }) => path.length > 0));
    if (!inner) this.#tell(this.#expected({ anyOf: schemas }), kindOf(value));
    else for (const each of inner) this.found.push({ ...each, path: [...this.#path, ...each.path] });
  }

  #object(schema: JsonSchema, value: Readonly<Record<string, unknown>>, closed: boolean): void {
    const { properties, required = [], additionalProperties } = schema;
    for (const name of required)
      if (!Object.hasOwn(value, name)) {
        this.#path.push(name);
        this.#tell(this.#expected(properties?.[name] ?? {}), 'nothing');
        this.#path.pop();
      }
    const isMap = isObject(additionalProperties) && Object.keys(additionalProperties).length > 0;
    for (const [name, member] of Object.entries(value)) {
      const described = properties && Object.hasOwn(properties, name) ? properties[name] : undefined;
      if (described) this.#at(name, described, member, closed);
      else if (isMap) this.#at(name, additionalProperties, member, closed);
      else if (properties && (closed || additionalProperties === false)) {
        this.#path.push(name);
        this.#tell(noMember, kindOf(member));
        this.#path.pop();
      }
    }
  }

  #text({ pattern, format = '', minLength = 0, maxLength = Infinity }: JsonSchema, value: string): void {
    const length = [...value].length;
    if (length < minLength || length > maxLength)
      this.#tell(`a text of ${minLength} to ${maxLength} characters`, `a text of ${length} characters`);
    else if (pattern !== undefined && !new RegExp(pattern, 'u').test(value))
      this.#tell(`a text that matches ${pattern}`, 'another text');
    else if (formats[format]?.(value) === false) this.#tell(`a text with the format ${format}`, 'another text');
  }

  compare(schema: JsonSchema, value: unknown, closedOutside = this.#options.closed): void {
    const closed = closedOutside && schema['x-repeats'] !== true;
    if (schema.$ref !== undefined) this.compare(this.#resolved(schema.$ref), value, closed);
    for (const part of schema.allOf ?? []) this.compare(part, value, closed);
    const alternatives = schema.anyOf ?? schema.oneOf;
    if (alternatives) return this.#alternatives(alternatives, value, closed);
    const types = [schema.type ?? []].flat();
    if (types.length > 0 && !types.some((type) => isOfType(type, value)))
      return this.#tell(this.#expected(schema), kindOf(value));
    if (schema.const !== undefined && value !== schema.const) return this.#tell(shown(schema.const), shown(value));
    if (schema.enum && !schema.enum.includes(value)) return this.#tell(this.#expected(schema), shown(value));
    if (typeof value === 'string') return this.#text(schema, value);
    if (isObject(value)) return this.#object(schema, value, closed);
    if (!Array.isArray(value)) return;
    const { items, minItems = 0, maxItems = Infinity } = schema;
    if (value.length < minItems || value.length > maxItems)
      this.#tell(`a list of ${minItems} to ${maxItems} elements`, `a list of ${value.length}`);
    if (items) value.forEach((each, index) => this.#at(index, items, each, closed));
  }
}

/** Returns where a parsed JSON value is not as the schema says. Takes time proportional to its size. */
export function differencesIn(schema: JsonSchema, value: unknown, options: Options): Difference[] {
  const comparison = new Comparison(options);
  comparison.compare(schema, value);
  return comparison.found;
}
