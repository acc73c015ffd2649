/** JSON with whole numbers of 64 bits, such as the end of a slice, which numbers of JavaScript do not have. */

const MARK = 'whole:';
const LONG = /"(?:[^"\\]|\\.)*"|-?\d{16,}(?![\d.eE])/g;
const MARKED = new RegExp(`"${MARK}(-?\\d+)"`, 'g');

/** Such numbers are texts that begin with a mark. Throws a SyntaxError. */
export const parse = (text: string): unknown => JSON.parse(text.replace(LONG, (found) => (found.startsWith('"') ? found : `"${MARK}${found}"`)));
export const write = (value: unknown): string => JSON.stringify(value).replace(MARKED, '$1');
/** A number, or what stands for one. */
export const isNumber = (value: unknown): value is number | string => typeof value === 'number' || (typeof value === 'string' && new RegExp(`^${MARK}-?\\d+$`).test(value));
