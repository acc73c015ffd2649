/**
 * A program of PyTorch without weights and names: operators, settings, types and shapes stay. Weights are numbers that say nothing, and paths of
 * source files, examples of inputs and what the module returns are left out. It has the form of PyTorch 2.9, whichever the program has.
 */
import { MoError } from '@mo/wasm';
import { msg } from '@mo/wasm/msg';

import type { Anonymous } from '../../report/anonymous.js';
import { NoGraph } from '../../report/codes.js';
import { pageMessage } from '../../report/page-message.js';
import type { Packed } from '../packed.js';
import type { Failed, Skeleton } from '../types.js';
import { programsOf } from './archive.js';
import { parse, write } from './json.js';
import { ProgramRewriter } from './program.js';
import { writeWeights } from './weights.js';

const bytes = (text: string) => new TextEncoder().encode(text);

/** @throws {MoError} when there is no program. */
export async function pytorchSkeleton(failed: Failed, names: Anonymous): Promise<Skeleton<Uint8Array | Packed>> {
  const programs = await programsOf(failed);
  if (programs.length === 0) throw new MoError([pageMessage(NoGraph, msg`the file has no program`, 'choose a .pt2 of torch.export.save')]);
  const files = [{ path: 'archive_format', content: bytes('pt2') }, { path: 'archive_version', content: bytes('0') }, { path: 'byteorder', content: bytes('little') }];
  const weights: Awaited<ReturnType<typeof writeWeights>> = [];
  for (const { name, text } of programs) {
    const model = name === 'model' ? name : names.name(name, 'n');
    const rewriter = new ProgramRewriter(names);
    files.push({ path: `models/${model}.json`, content: bytes(write(rewriter.program(parsed(text)))) });
    weights.push(...(await writeWeights(model, rewriter.weights)));
  }
  return { files: [...files, ...weights] };
}

function parsed(text: string): unknown {
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new MoError([pageMessage(NoGraph, msg`the file has no program`, 'choose a .pt2 of torch.export.save')]);
  }
}
