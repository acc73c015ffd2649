/**
 * The formats that skeletons can be made of: a row for each. Its module is loaded ahead, with other parts that the page needs after a
 * failure.
 */
import type { Failed, SkeletonMaker } from './types.js';

interface Format {
  /** Whether the path of a model is of this format; of a folder, the path of a file in it, or in its folder `am`, where Vosk has networks. */
  readonly isOf: RegExp;
  readonly load: () => Promise<SkeletonMaker>;
}

const FORMATS: readonly Format[] = [
  { isOf: /\.onnx$/i, load: async () => (await import('./onnx/skeleton.js')).onnxSkeleton },
  { isOf: /\.(?:pb|pbtxt|meta)$/i, load: async () => (await import('./tf/skeleton.js')).tfSkeleton },
  { isOf: /\.tflite$/i, load: async () => (await import('./tflite/skeleton.js')).tfliteSkeleton },
  { isOf: /(?:\.params|-symbol\.json)$/i, load: async () => (await import('./mxnet/skeleton.js')).mxnetSkeleton },
  { isOf: /(?:\.pt2|(?:^|\/)(?:archive_format|serialized_exported_program\.json))$/i, load: async () => (await import('./pytorch/skeleton.js')).pytorchSkeleton },
  { isOf: /(?:\.pdmodel|\.json|(?:^|\/)__model__)$/i, load: async () => (await import('./paddle/skeleton.js')).paddleSkeleton },
  { isOf: /\.(?:nnet|mdl|raw)$/i, load: async () => (await import('./kaldi/skeleton.js')).kaldiSkeleton },
  { isOf: /\.(?:caffemodel|prototxt|prototxt\.txt|pt)$/i, load: async () => (await import('./caffe/skeleton.js')).caffeSkeleton },
];

/** The maker of skeletons for such models; undefined if there is none. */
export function skeletonMaker(main: Failed['main'], files: Failed['files']): (() => Promise<SkeletonMaker>) | undefined {
  const isIn = (path: string) => path.startsWith(`${main.path}/`) && !path.slice(main.path.length + 1).replace(/^am\//, '').includes('/');
  const paths = 'file' in main ? [main.path] : files.map(({ path }) => path).filter(isIn);
  return FORMATS.find(({ isOf }) => paths.some((path) => isOf.test(path)))?.load;
}

/** Loads all of them ahead, because the page makes no requests later. */
export const loadSkeletons = () => Promise.all(FORMATS.map(({ load }) => load()));
