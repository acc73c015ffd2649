/**
 * The formats that skeletons can be made of: a row for each. Its module is loaded ahead, with other parts that the page needs after a
 * failure.
 */
import type { Failed, SkeletonMaker } from './types.js';

interface Format {
  /** Whether the path of a model is of this format. The path of a folder ends with a slash. */
  readonly isOf: RegExp;
  readonly load: () => Promise<SkeletonMaker>;
}

const FORMATS: readonly Format[] = [
  { isOf: /\.onnx$/i, load: async () => (await import('./onnx/skeleton.js')).onnxSkeleton },
  { isOf: /\.(?:pb|pbtxt|meta)$|\/$/i, load: async () => (await import('./tf/skeleton.js')).tfSkeleton },
  { isOf: /\.tflite$/i, load: async () => (await import('./tflite/skeleton.js')).tfliteSkeleton },
];

/** The maker of skeletons for such models; undefined if there is none. */
export function skeletonMaker({ main }: Pick<Failed, 'main'>): (() => Promise<SkeletonMaker>) | undefined {
  const path = 'file' in main ? main.path : `${main.path}/`;
  return FORMATS.find(({ isOf }) => isOf.test(path))?.load;
}

/** Loads all of them ahead, because the page makes no requests later. */
export const loadSkeletons = () => Promise.all(FORMATS.map(({ load }) => load()));
