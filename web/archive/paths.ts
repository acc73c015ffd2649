/** The order of paths in archives. */
const collator = new Intl.Collator('en', { numeric: true });

/** As people sort names. */
export function byPath(a: { path: string }, b: { path: string }): number {
  return collator.compare(a.path, b.path);
}

/** Letters in the order of byPath(), as far as it is known here. */
const ORDER = ' _-,;:!?.\'"()[]{}@*/\\&#%`^+<=>|~$0123456789abcdefghijklmnopqrstuvwxyz';
const PLACES = Uint16Array.from({ length: 128 }, (_, code) => 1 + ORDER.indexOf(String.fromCharCode(code).toLowerCase()));
const NUMBER = 1 + ORDER.indexOf('0');

/** A text that is compared in no time, nearly always with the same result as byPath(). */
export function keyOf(path: string): string {
  let key = '';
  for (let at = 0; at < path.length; at++) {
    const code = path.charCodeAt(at);
    if (code >= 48 && code <= 57) {
      const begin = at;
      while (at + 1 < path.length && path.charCodeAt(at + 1) >= 48 && path.charCodeAt(at + 1) <= 57) at++;
      const digits = path.slice(begin, at + 1).replace(/^0+(?=\d)/, '');
      key += String.fromCharCode(NUMBER, 0x100 + digits.length) + digits;
    } else key += code < 128 ? String.fromCharCode(PLACES[code]!) : path[at]!;
  }
  return key;
}
