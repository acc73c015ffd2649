import type { PlacedFile } from '@mo/wasm';

/** A model that the user brought: the file to convert and everything that came with it. */
export interface Chosen {
  main: PlacedFile;
  side: PlacedFile[];
}

const ONNX = /\.onnx$/i;

/** Models that the core recognises, to say that it does not read them. */
const OTHER = /\.(pb|tflite|caffemodel|params|pdmodel|nnet|mdl)$/i;

/** Finds the model among the files: by its extension, the one that lies highest; else the only file there is. */
export function choose(files: readonly PlacedFile[]): Chosen | undefined {
  const depth = ({ path }: PlacedFile) => path.split('/').length;
  const highest = (kind: RegExp) => files.filter(({ path }) => kind.test(path)).sort((a, b) => depth(a) - depth(b))[0];
  const main = highest(ONNX) ?? highest(OTHER) ?? (files.length === 1 ? files[0] : undefined);
  return main && { main, side: files.filter((file) => file !== main) };
}

/** Whether none of the files is a model, so that they can only go with one. */
export function onlySide(files: readonly PlacedFile[]): boolean {
  return !files.some(({ path }) => ONNX.test(path));
}

/** The model with more side files; one of the same path takes the place of the older. */
export function withMore(chosen: Chosen, more: readonly PlacedFile[]): Chosen {
  const paths = new Set(more.map(({ path }) => path));
  return { main: chosen.main, side: [...chosen.side.filter(({ path }) => !paths.has(path)), ...more] };
}

/** The bare name of a path. */
export function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
