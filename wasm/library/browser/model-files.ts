/** A file with its path, for when `File.webkitRelativePath` does not say it. */
export interface PlacedFile {
  path: string;
  file: Blob;
}

/** A model in a browser. Weights in side files are found by their path beside the main file, or by their bare name. */
export type Model = Blob | ReadableStream<Uint8Array> | { main: File | PlacedFile; files: Iterable<File | PlacedFile> };

/** A model's files under their paths relative to the main one. */
export interface PlacedModel {
  main: string;
  files: [path: string, blob: Blob][];
}

const NAMELESS = 'model.onnx';

export async function placeFiles(model: Model): Promise<PlacedModel> {
  if (model instanceof ReadableStream) return placeFiles(await new Response(model).blob());
  if (model instanceof File) return placeFiles({ main: model, files: [] });
  if (model instanceof Blob) return placeFiles({ main: { path: NAMELESS, file: model }, files: [] });
  const main = placed(model.main);
  const folder = main.path.slice(0, main.path.lastIndexOf('/') + 1);
  const relative = ({ path, file }: PlacedFile): [string, Blob] =>
    [path.startsWith(folder) ? path.slice(folder.length) : path, file];
  const files = [relative(main), ...Array.from(model.files, (file) => relative(placed(file)))];
  return { main: files[0]![0], files };
}

function placed(file: File | PlacedFile): PlacedFile {
  return file instanceof File ? { path: file.webkitRelativePath || file.name, file } : file;
}
