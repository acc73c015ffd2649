/** Made by scripts/error-help.mjs from docs/errors/. */
declare module 'virtual:error-help' {
  /** The version of the converter. */
  export const VERSION: string;
  /** The help page of each message by its code: its sentence, and the rest as HTML. */
  export const PAGES: Readonly<Record<string, { title: string; html: string }>>;
}

/** The same in another language: each is declared by its name. */
declare module 'virtual:error-help-zh-Hans' {
  /** The page of each message by its code, as HTML. */
  export const PAGES: Readonly<Record<string, string>>;
}
