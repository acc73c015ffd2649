/** The names of files that were given one by one. Finds and lists them as a disk would. */
export class Names {
  /** `names`: paths relative to the model's folder; files of options have names that begin with a slash. */
  constructor(private readonly names: readonly string[]) {}

  /**
   * The index of a file, or -1. Files that were chosen one by one have lost their folders, so a unique name is enough. Files of options
   * are found by their whole name.
   */
  find(name: string): number {
    const exact = this.names.indexOf(name);
    if (exact >= 0 || name.startsWith('/')) return exact;
    const matches = (other: string) => !other.startsWith('/') && baseName(other) === baseName(name);
    const same = this.names.flatMap((other, index) => (matches(other) ? [index] : []));
    return same.length === 1 ? same[0]! : -1;
  }

  /** The contents of a folder follow from the paths of the files. */
  list(folder: string): string[] {
    const before = folder === '' ? '' : `${folder}/`;
    const inside = this.names.flatMap((name) => (name.startsWith(before) && !name.startsWith('/') ? [name.slice(before.length)] : []));
    return [...new Set(inside.map((name) => name.replace(/\/.*$/, '/')))];
  }
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
