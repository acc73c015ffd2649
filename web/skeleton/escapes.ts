/** Escapes of protobuf's text form. */
const ENCODER = new TextEncoder();
const ESCAPES: Readonly<Record<string, number>> = { n: 10, r: 13, t: 9, a: 7, b: 8, f: 12, v: 11 };
/** The most characters of an escape. */
const LONGEST = 10;

/** The bytes that the escape at this place stands for, and how many characters it has; undefined if it is none. */
export function escaped(text: string, at: number): { readonly bytes: Uint8Array; readonly length: number } | undefined {
  const [all, octal, hex, code] = /^\\(?:([0-7]{1,3})|[xX]([\da-fA-F]{1,2})|u([\da-fA-F]{4})|U[\da-fA-F]{8}|[^\n])/.exec(text.slice(at, at + LONGEST)) ?? [];
  if (all === undefined) return undefined;
  const { length } = all;
  if (octal !== undefined) return { bytes: Uint8Array.of(parseInt(octal, 8)), length };
  if (hex !== undefined) return { bytes: Uint8Array.of(parseInt(hex, 16)), length };
  if (code !== undefined) return { bytes: ENCODER.encode(String.fromCharCode(parseInt(code, 16))), length };
  const known = ESCAPES[all[1]!];
  return { bytes: known === undefined ? ENCODER.encode(all.slice(1)) : Uint8Array.of(known), length };
}
