/** Texts in attributes that are modes of an operation, not names. */
const WORDS = new Set((
  'SAME VALID EXPLICIT REFLECT SYMMETRIC CONSTANT MIN_COMBINED MIN_FIRST SCALED HALF_AWAY_FROM_ZERO HALF_TO_EVEN HALF_UP '
  + 'NCHW_VECT_C NHWC_VECT_W HWIO OIHW CHANNELS_FIRST CHANNELS_LAST '
  + 'bilinear nearest bicubic area gaussian lanczos1 lanczos3 lanczos5 triangle box keyscubic mitchellcubic '
  + 'FIRST_DIM_SIZE VALUE_ROWIDS ROW_LENGTHS ROW_SPLITS ROW_LIMITS ROW_STARTS '
  + 'lstm gru rnn_relu rnn_tanh linear_input skip_input auto_select unidirectional bidirectional '
  + 'BiasAdd Relu Relu6 Elu LeakyRelu Tanh Sigmoid GeluExact GeluApproximate FusedBatchNorm Add Requantize Dequantize Mish Swish '
  + 'left right lower upper sum sqrtn Add Mul Min Max Div Id '
  + 'UTF-8 UTF-16-BE UTF-32-BE BYTE UTF8_CHAR replace strict ignore '
  + 'NONE BILINEAR NEAREST NEAREST_MIRROR WRAP OIDHW DHWIO'
).split(' '));
/** The equation of Einsum. */
const EQUATION = /^[A-Za-z.]{0,12}(?:,[A-Za-z.]{0,12})*->[A-Za-z.]{0,12}$/;

/** An order of dimensions, for example NHWC. */
const FORMAT = /^[NCDHWT]{2,5}$/;

export function isEnumeration(text: string): boolean {
  return text === '' || WORDS.has(text) || FORMAT.test(text) || EQUATION.test(text);
}
