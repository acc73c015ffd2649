/** What several formats ask of values. */

/** The number of elements of a tensor with these sizes. */
export const elementsOf = (sizes: readonly number[]): number => sizes.reduce((product, size) => product * size, 1);

/** Whether a value of a JSON file is an object. */
export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null && !Array.isArray(value);
