/** What can be converted. It is the same on every host, so that a program that runs on several needs one type. */

/** A file with its path, if `File.webkitRelativePath` does not have it. */
export interface FileWithPath {
  path: string;
  file: Blob;
}

/**
 * A file that is read by a function: one that is neither on a disk nor in a Blob. A function cannot be handed to another thread, so a model
 * with such a file is converted in the thread that calls, as with `worker: false`. That should be a worker: the thread is busy meanwhile.
 */
export interface HostReader {
  /** The file's name, or its path relative to the model's folder. */
  readonly name: string;
  readonly size: number;
  /** Fills `target` with the bytes from `offset` on, before it returns. What it throws ends the conversion with MO7001. */
  read(offset: number, target: Uint8Array): void;
}

/**
 * A model of several files. Those with weights are found by their path relative to the main file, or by their bare name. A model that is a
 * folder is given by its path, below which are the `files`.
 */
export interface ModelFiles {
  main: File | FileWithPath | HostReader | { path: string };
  files: Iterable<File | FileWithPath | HostReader>;
}

/**
 * A model: its path or `file:` URL, where there are paths, with its side files next to it; or its content. What comes as a stream is copied
 * first, to a temporary file without a name, or to a Blob.
 */
export type Model =
  | string | URL | Uint8Array | Blob | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array> | HostReader | ModelFiles;

/** A model's files under their paths relative to the main one, which may be a folder of them. */
export interface Gathered {
  main: string;
  files: [path: string, content: Blob | HostReader][];
}

export function isReader(value: object): value is HostReader {
  return 'read' in value && typeof value.read === 'function' && 'size' in value && 'name' in value;
}

export function isModelFiles(value: object): value is ModelFiles {
  return 'main' in value && 'files' in value;
}

export function gather({ main, files }: ModelFiles): Gathered {
  const own = isFolder(main) ? undefined : named(main);
  const path = own?.path ?? (main as { path: string }).path;
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  const relative = (name: string): string => (name.startsWith(folder) ? name.slice(folder.length) : name);
  const all = [...(own ? [own] : []), ...Array.from(files, named)];
  return { main: relative(path), files: all.map(({ path: name, content }) => [relative(name), content]) };
}

function isFolder(main: ModelFiles['main']): main is { path: string } {
  return !(main instanceof Blob) && !isReader(main) && !('file' in main);
}

interface Named {
  path: string;
  content: Blob | HostReader;
}

function named(file: File | FileWithPath | HostReader): Named {
  if (file instanceof Blob) return { path: file.webkitRelativePath || file.name, content: file };
  return isReader(file) ? { path: file.name, content: file } : { path: file.path, content: file.file };
}
