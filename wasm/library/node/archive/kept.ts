import type { Archive } from './archive.js';

let kept: Archive | undefined;

/** The command keeps the last archive open: several models, and options, may be of the same one. */
export function keepOpen(archive: Archive | undefined): void {
  if (archive === undefined || archive === kept) return;
  archive.share();
  kept?.close();
  kept = archive;
}
