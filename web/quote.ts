/** Words of a command line, as shells want them written. */

/** `posix` is sh, bash and zsh; `cmd` and `powershell` are the shells of Windows. */
export type Shell = 'posix' | 'cmd' | 'powershell';

const PLAIN: Record<Shell, RegExp> = {
  posix: /^[\w./:=@+-]+$/,
  cmd: /^[\w./\\:@+-]+$/,
  powershell: /^(?:[\w/\\][\w./\\:-]*|--?\w+)$/,
};

/** The word in such a form that the shell gives it to the program unchanged. */
export function quote(word: string, shell: Shell): string {
  return PLAIN[shell].test(word) ? word : QUOTES[shell](word);
}

/** A file's name: one that begins with a hyphen would be an option, and a hyphen alone the standard input. */
export function quoteFile(name: string, shell: Shell): string {
  return quote(name.startsWith('-') ? `./${name}` : name, shell);
}

const QUOTES: Record<Shell, (word: string) => string> = {
  posix: (word) => `'${word.replaceAll("'", `'\\''`)}'`,
  // Programs read "" as a quotation mark, and backslashes before a mark by pairs. cmd replaces %NAME% within quotation marks,
  // too, but there is no name that ends with a caret.
  cmd: (word) => `"${word.replace(/(\\*)"/g, '$1$1""').replace(/\\+$/, '$&$&').replaceAll('%', '"^%"')}"`,
  // Typographic quotation marks end a text as well.
  powershell: (word) => `'${word.replace(/['\u2018-\u201b]/g, '$&$&')}'`,
};
