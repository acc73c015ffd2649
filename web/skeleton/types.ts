/** The input and the output of the makers of skeletons. */
import type { FileWithPath, Message } from '@mo/wasm';

import type { Anonymous } from '../report/anonymous.js';
import type { Packed } from './packed.js';

/** A model that failed, with the files beside it, and why. */
export interface Failed {
  readonly main: FileWithPath | { readonly path: string };
  readonly files: readonly FileWithPath[];
  readonly messages: readonly Message[];
}

/** A file to be saved, or the files of a folder, with their paths in it. */
export type Skeleton<Content = Uint8Array> = { readonly name: string; readonly content: Uint8Array } | { readonly files: readonly { readonly path: string; readonly content: Content }[] };

/** A file that is as long as the model, which has been packed. */
export interface PackedSkeleton {
  readonly name: string;
  readonly packed: Packed;
}

/** Rejects with a MoError when the file is no model of the format. */
export type SkeletonMaker = (failed: Failed, names: Anonymous) => Promise<Skeleton<Uint8Array | Packed> | PackedSkeleton>;
