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

/** How to follow the saving of files, and to end it. `onBytes` gets the bytes of all files so far. */
export interface SaveControls {
  signal: AbortSignal;
  onBytes: (bytes: number) => void;
}
