/** Archives, by their names. */

const ARCHIVE = /\.(?:zip|mar|tar|tar\.gz|tgz)$/i;
const PERHAPS = /\.(?:model|pt2)$/i;
const OTHER_ARCHIVE = /\.(?:tar\.[a-z\d]+|tbz2?|txz|tzst|7z|rar)$/i;

export function isArchive(path: string): boolean {
  return ARCHIVE.test(path);
}

/** Whether the bytes say whether it is an archive: model servers pack zips of the name .model, and a .pt2 that was packed again is read as one. */
export function mayBeArchive(path: string): boolean {
  return PERHAPS.test(path);
}

/** Whether it is an archive of a kind that is not read. */
export function isOtherArchive(path: string): boolean {
  return !isArchive(path) && OTHER_ARCHIVE.test(path);
}

/** The folder that takes the place of an archive: its name without the ending. */
export function folderFor(path: string): string {
  return path.replace(isArchive(path) ? ARCHIVE : PERHAPS, '') || path;
}
