/** Archives, by their names. */

const ARCHIVE = /\.(?:zip|mar|tar|tar\.gz|tgz)$/i;
const OTHER_ARCHIVE = /\.(?:tar\.[a-z\d]+|tbz2?|txz|tzst|7z|rar)$/i;

export function isArchive(path: string): boolean {
  return ARCHIVE.test(path);
}

/** Whether it is an archive of a kind that is not read. */
export function isOtherArchive(path: string): boolean {
  return !isArchive(path) && OTHER_ARCHIVE.test(path);
}

/** The folder that takes the place of an archive: its name without the ending. */
export function folderFor(path: string): string {
  return path.replace(ARCHIVE, '') || path;
}
