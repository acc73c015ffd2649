/** The part of es-module-lexer that the loader uses. The package contains a copy of it. */
export interface ImportSpecifier {
  /** Where the specifier begins and ends; for an import(), with its quotes. */
  readonly s: number;
  readonly e: number;
  /** -1 for a static import, -2 for import.meta, else where an import() begins. */
  readonly d: number;
}
export const init: Promise<void>;
/** Throws an Error with `idx`, the index of what it cannot read. */
export function parse(source: string): readonly [imports: readonly ImportSpecifier[], ...rest: unknown[]];
