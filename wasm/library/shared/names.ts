/** The names of files that were given one by one. Finds and lists them as a disk would, in a time that does not depend on their number. */
export class Names {
  readonly #exact = new Map<string, number>();
  /** By bare name; -1 if several files have it. */
  readonly #bare = new Map<string, number>();
  #folders: Map<string, Set<string>> | undefined;

  /** `names`: paths relative to the model's folder; files of options have names that begin with a slash. */
  constructor(private readonly names: readonly string[]) {
    names.forEach((name, index) => {
      if (!this.#exact.has(name)) this.#exact.set(name, index);
      if (!name.startsWith('/')) this.#bare.set(baseName(name), this.#bare.has(baseName(name)) ? -1 : index);
    });
  }

  /**
   * The index of a file, or -1. Files that were chosen one by one have lost their folders, so a unique name is enough. Files of options
   * are found by their whole name.
   */
  find(name: string): number {
    return this.#exact.get(name) ?? (name.startsWith('/') ? -1 : this.#bare.get(baseName(name)) ?? -1);
  }

  /** The contents of a folder follow from the paths of the files. */
  list(folder: string): string[] {
    return [...((this.#folders ??= foldersOf(this.names)).get(folder) ?? [])];
  }
}

/** The core looks no deeper. */
const DEEPEST = 64;

/** What each folder has: names of files, and those of folders with a slash. */
function foldersOf(names: readonly string[]): Map<string, Set<string>> {
  const folders = new Map<string, Set<string>>();
  for (const name of names) {
    if (name.startsWith('/') || name.split('/', DEEPEST + 2).length > DEEPEST + 1) continue;
    for (let end = name.length, entry = baseName(name); ; ) {
      const slash = name.lastIndexOf('/', end - 1);
      const folder = slash < 0 ? '' : name.slice(0, slash);
      const inside = folders.get(folder);
      if (inside?.has(entry)) break;
      if (inside) inside.add(entry);
      else folders.set(folder, new Set([entry]));
      if (slash < 0) break;
      entry = `${baseName(folder)}/`;
      end = slash;
    }
  }
  return folders;
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
