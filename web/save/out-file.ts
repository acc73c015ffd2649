/** A file to be saved. */
export interface Download {
  readonly name: string;
  readonly size: number;
  readonly content: Blob;
  readonly url: string;
}

/** A file among several that are saved together. */
export interface OutFile {
  /** Within the folder or archive that is saved. */
  readonly path: string;
  readonly download: Download;
}
