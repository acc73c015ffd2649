/** Checks of values whose types nobody vouches for. What passes is a copy with the fields that the type has, and nothing else. */

/** Copies a value of one type, which is at `place`. Throws NotOfType for any other value. */
export type Check<T> = (value: unknown, place: string) => T;

/** A value has another type. */
export class NotOfType extends Error {
  constructor(readonly place: string) {
    super(`${place} has another type`);
  }
}

const wrong = (place: string): never => {
  throw new NotOfType(place);
};

export const text: Check<string> = (value, place) => (typeof value === 'string' ? value : wrong(place));

export const integer = (least: number): Check<number> => (value, place) => (Number.isSafeInteger(value) && (value as number) >= least ? (value as number) : wrong(place));

export const count = integer(0);

export const word = <Word extends string>(...words: readonly Word[]): Check<Word> => (value, place) => (words.includes(value as Word) ? (value as Word) : wrong(place));

export const list = <T>(item: Check<T>): Check<T[]> => (value, place) =>
  (Array.isArray(value) ? Array.from(value, (one, index) => item(one, `${place}[${index}]`)) : wrong(place));

/** A list of fixed length, with a check for each place. */
export const tuple = <T extends readonly unknown[]>(...items: { readonly [Index in keyof T]: Check<T[Index]> }): Check<T> => (value, place) =>
  (Array.isArray(value) && value.length === items.length ? (items.map((item, index) => item(value[index], `${place}[${index}]`)) as unknown as T) : wrong(place));

/** Values by names that are not fixed. */
export const dictionary = <T>(item: Check<T>): Check<Record<string, T>> => (value, place) =>
  (isObject(value) ? Object.fromEntries(Object.entries(value).map(([name, one]) => [name, item(one, `${place}.*`)])) : wrong(place));

export const orNull = <T>(check: Check<T>): Check<T | null> => (value, place) => (value === null ? null : check(value, place));

export const optional = <T>(check: Check<T>): Check<T | undefined> => (value, place) => (value === undefined ? undefined : check(value, place));

/** A check for each field; only those of fields that may be absent are optional. */
export type Fields<T> = {
  readonly [Name in keyof T]-?: Record<string, never> extends Pick<T, Name> ? Check<Exclude<T[Name], undefined> | undefined> : Check<T[Name]>;
};

export const record = <T>(fields: Fields<T>): Check<T> => (value, place) => {
  if (!isObject(value)) return wrong(place);
  const names = Object.keys(fields) as (keyof T & string)[];
  const copied = names.map((name) => [name, fields[name](Object.hasOwn(value, name) ? value[name] : undefined, `${place}.${name}`)] as const);
  return Object.fromEntries(copied.filter(([, one]) => one !== undefined)) as T;
};

/** The first of the checks that the field `kind` names. */
export const oneOf = <T extends { readonly kind: string }>(kinds: { readonly [Kind in T['kind']]: Check<Extract<T, { readonly kind: Kind }>> }): Check<T> => (value, place) => {
  const kind = isObject(value) ? value['kind'] : undefined;
  return typeof kind === 'string' && Object.hasOwn(kinds, kind) ? kinds[kind as T['kind']](value, kind) : wrong(place);
};

/** A text of JSON with such a value in it, or an empty one. */
export const json = <T>(check: Check<T>): Check<string> => (value, place) => {
  const given = text(value, place);
  if (given === '') return given;
  let parsed: unknown;
  try {
    parsed = JSON.parse(given);
  } catch {
    return wrong(place);
  }
  return JSON.stringify(check(parsed, place));
};

export const instance = <T>(type: abstract new (...given: never[]) => T): Check<T> => (value, place) => (value instanceof type ? value : wrong(place));

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
