/** Takes the types out of TypeScript. */

/** The text without its types, each line where it was. Throws an Error with `line`, if it is known. */
export function withoutTypes(text: string): string;
