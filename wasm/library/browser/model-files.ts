/** A file with its path, if `File.webkitRelativePath` does not have it. */
export interface FileWithPath {
  path: string;
  file: Blob;
}

/**
 * A model in a browser. Side files with weights are found by their path relative to the main file, or by their bare name. A
 * model that is a folder is given by its path, below which are the `files`.
 */
export type Model =
  | Blob | Uint8Array | ReadableStream<Uint8Array>
  | { main: File | FileWithPath | { path: string }; files: Iterable<File | FileWithPath> };

/** A model's files under their paths relative to the main one. */
export interface ModelFiles {
  main: string;
  files: [path: string, blob: Blob][];
}

const NAMELESS = 'model.onnx';

export async function gatherFiles(model: Model): Promise<ModelFiles> {
  if (model instanceof ReadableStream) return gatherFiles(await new Response(model).blob());
  if (model instanceof Uint8Array) return gatherFiles(asBlob(model));
  if (model instanceof File) return gatherFiles({ main: model, files: [] });
  if (model instanceof Blob) return gatherFiles({ main: { path: NAMELESS, file: model }, files: [] });
  const main = model.main instanceof File ? withPath(model.main) : model.main;
  const folder = main.path.slice(0, main.path.lastIndexOf('/') + 1);
  const relative = (path: string): string => (path.startsWith(folder) ? path.slice(folder.length) : path);
  const all = [...('file' in main ? [main as FileWithPath] : []), ...Array.from(model.files, withPath)];
  return { main: relative(main.path), files: all.map(({ path, file }) => [relative(path), file]) };
}

/** What is in memory is copied, so that its owner may change it. */
export function asBlob(content: Blob | Uint8Array | string): Blob {
  return content instanceof Blob ? content : new Blob([content as BlobPart]);
}

function withPath(file: File | FileWithPath): FileWithPath {
  return file instanceof File ? { path: file.webkitRelativePath || file.name, file } : file;
}
