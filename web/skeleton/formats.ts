/** The formats of which skeletons are made: a row for each, whose module is loaded with what else the page needs when something fails. */
import type { Failed, SkeletonMaker } from './types.js';

interface Format {
  /** For a path of a model's file; that of a folder ends with a slash. */
  readonly isOf: RegExp;
  readonly load: () => Promise<SkeletonMaker>;
}

const FORMATS: readonly Format[] = [
  { isOf: /\.onnx$/i, load: async () => (await import('./onnx/skeleton.js')).onnxSkeleton },
  { isOf: /\.(?:pb|pbtxt|meta)$|\/$/i, load: async () => (await import('./tf/skeleton.js')).tfSkeleton },
  { isOf: /\.tflite$/i, load: async () => (await import('./tflite/skeleton.js')).tfliteSkeleton },
];

/** What makes skeletons of such models; undefined where nothing does. */
export function skeletonMaker({ main }: Pick<Failed, 'main'>): (() => Promise<SkeletonMaker>) | undefined {
  const path = 'file' in main ? main.path : `${main.path}/`;
  return FORMATS.find(({ isOf }) => isOf.test(path))?.load;
}

/** Loads all of them ahead: the page makes no request once it is there. */
export const loadSkeletons = () => Promise.all(FORMATS.map(({ load }) => load()));
