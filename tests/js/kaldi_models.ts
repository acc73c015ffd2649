/** Small networks of Kaldi, as text and in binary. A network is written once, for both. */

/** A token, or what stands there as it is; a whole number, a number, a list of whole numbers, a vector or a matrix. */
type Part = string | { readonly int: number } | { readonly float: number } | { readonly double: number } | { readonly bool: boolean }
  | { readonly ints: readonly number[] } | { readonly vector: readonly number[] } | { readonly matrix: readonly (readonly number[])[] };

const number = (bytes: 4 | 8, write: (buffer: Buffer) => void) => {
  const buffer = Buffer.alloc(bytes);
  write(buffer);
  return buffer;
};
const int32 = (value: number) => number(4, (buffer) => buffer.writeInt32LE(value));
const floats = (values: readonly number[]) => Buffer.concat(values.map((value) => number(4, (buffer) => buffer.writeFloatLE(value))));
const sized = (value: number) => Buffer.concat([Buffer.of(4), int32(value)]);

function inBinary(part: Part): Buffer {
  if (typeof part === 'string') return Buffer.from(part.endsWith('\n') ? part : `${part} `);
  if ('int' in part) return sized(part.int);
  if ('float' in part) return Buffer.concat([Buffer.of(4), floats([part.float])]);
  if ('double' in part) return Buffer.concat([Buffer.of(8), number(8, (buffer) => buffer.writeDoubleLE(part.double))]);
  if ('bool' in part) return Buffer.from(part.bool ? 'T' : 'F');
  if ('ints' in part) return Buffer.concat([sized(part.ints.length), ...part.ints.map(int32)]);
  if ('vector' in part) return Buffer.concat([Buffer.from('FV '), sized(part.vector.length), floats(part.vector)]);
  return Buffer.concat([Buffer.from('FM '), sized(part.matrix.length), sized(part.matrix[0]?.length ?? 0), ...part.matrix.map(floats)]);
}

function asText(part: Part): string {
  if (typeof part === 'string') return part.endsWith('\n') ? part : `${part} `;
  if ('int' in part) return `${part.int} `;
  if ('float' in part) return `${part.float} `;
  if ('double' in part) return `${part.double} `;
  if ('bool' in part) return part.bool ? 'T ' : 'F ';
  if ('ints' in part) return `[ ${part.ints.join(' ')} ]\n`;
  if ('vector' in part) return ` [ ${part.vector.join(' ')} ]\n`;
  return ` [${part.matrix.map((row) => `\n  ${row.join(' ')} `).join('')}]\n`;
}

export type Mode = 'binary' | 'text';
export const written = (parts: readonly Part[], mode: Mode): Buffer =>
  mode === 'binary' ? Buffer.concat([Buffer.from('\0B'), ...parts.map(inBinary)]) : Buffer.from(parts.map(asText).join(''));

export const TRANSITIONS: Readonly<Record<Mode, readonly Part[]>> = {
  binary: [
    '<TransitionModel>', '<Topology>', { ints: [1, 2] }, { ints: [-1, 0, 0] }, { int: -1 }, { int: 1 }, { int: 2 }, { int: 0 }, { int: 1 }, { int: 2 }, { int: 0 }, { float: 0.5 }, { int: 1 }, { float: 0.5 },
    { int: -1 }, { int: -1 }, { int: 0 }, '</Topology>', '<Tuples>', { int: 2 }, ...[1, 0, 0, 1, 2, 0, 1, 0].map((int) => ({ int })), '</Tuples>', '<LogProbs>', { vector: [0, -0.7, -0.7, -0.7, -0.7] }, '</LogProbs>',
    '</TransitionModel>',
  ],
  text: [
    '<TransitionModel>\n', '<Topology>\n', '<TopologyEntry>\n', '<ForPhones>\n', '1 2 \n', '</ForPhones>\n', '<State>', '0 <ForwardPdfClass> 0 <SelfLoopPdfClass> 1 <Transition> 0 0.5 <Transition> 1 0.5 </State>\n',
    '<State>', '1 </State>\n', '</TopologyEntry>\n', '</Topology>\n', '<Tuples>', '2 \n', '1 0 0 1 \n', '2 0 1 0 \n', '</Tuples>\n', '<LogProbs>\n', { vector: [0, -0.7, -0.7, -0.7, -0.7] }, '</LogProbs>\n',
    '</TransitionModel>\n',
  ],
};

/** A layer of two outputs over three frames, normalised: an acoustic model of nnet3. The names of its nodes are `layer`, and `layer` with "norm". */
export function acousticModel(mode: Mode, layer = 'tdnn1'): Buffer {
  return written([
    ...TRANSITIONS[mode], '<Nnet3>', '\n', 'input-node name=input dim=2\n',
    `component-node name=${layer} component=${layer}.affine input=Append(Offset(input, -1), input, Scale(0.66, Offset(input, 1)))\n`,
    `component-node name=${layer}norm component=${layer}norm input=${layer}\n`,
    `output-node name=output input=${layer}norm objective=linear\n`, '\n', '<NumComponents>', { int: 2 },
    '<ComponentName>', `${layer}.affine`, '<NaturalGradientAffineComponent>', '<MaxChange>', { float: 0.75 }, '<L2Regularize>', { float: 0.01 }, '<LearningRate>', { float: 0.001 },
    '<LinearParams>', { matrix: [[0.11, 0.12, 0.13, 0.14, 0.15, 0.16], [-0.21, -0.22, -0.23, -0.24, -0.25, -0.26]] }, '<BiasParams>', { vector: [0.31, 0.32] },
    '<RankIn>', { int: 20 }, '<RankOut>', { int: 80 }, '<UpdatePeriod>', { int: 4 }, '<NumSamplesHistory>', { float: 2000 }, '<Alpha>', { float: 4 }, '</NaturalGradientAffineComponent>',
    '<ComponentName>', `${layer}norm`, '<BatchNormComponent>', '<Dim>', { int: 2 }, '<BlockDim>', { int: 2 }, '<Epsilon>', { float: 0.001 }, '<TargetRms>', { float: 1 }, '<TestMode>', { bool: true },
    '<Count>', { double: 1000 }, '<StatsMean>', { vector: [0.41, 0.42] }, '<StatsVar>', { vector: [1.51, 1.52] }, '</BatchNormComponent>',
    '</Nnet3>', '<LeftContext>', { int: 1 }, '<RightContext>', { int: 1 }, '<Priors>', { vector: [0.61, 0.62] },
  ], mode);
}

/** A network of nnet1: frames spliced, and an affine layer. */
export function splicedNetwork(mode: Mode): Buffer {
  return written([
    '<Nnet>', '<Splice>', { int: 6 }, { int: 2 }, { ints: [-1, 0, 2] }, '<!EndOfComponent>',
    '<AffineTransform>', { int: 2 }, { int: 6 }, '<LearnRateCoef>', { float: 1 }, '<BiasLearnRateCoef>', { float: 1 }, '<MaxNorm>', { float: 0 },
    { matrix: [[0.11, 0.12, 0.13, 0.14, 0.15, 0.16], [-0.21, -0.22, -0.23, -0.24, -0.25, -0.26]] }, { vector: [0.31, 0.32] }, '<!EndOfComponent>', '</Nnet>',
  ], mode);
}
