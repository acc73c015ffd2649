/**
 * Names of TensorFlow's graphs, replaced scope by scope: nodes that are in one scope, or in one call of a function, are so in a skeleton,
 * too.
 */
import type { Anonymous } from '../../report/anonymous.js';

/** Words by which a name says what its node is for; they are TensorFlow's own. */
const OWN = /^(?:read|Const|Assign|NoOp|Assert|Parameter|Result|PrintV2|SaveV2|MergeV2Checkpoints|WriteFile|AssignVariableOp|AssignAddVariableOp|RestoreV2|ScalarSummary|AssignSubVariableOp|WriteSummary|TensorListReserve|EmptyTensorList|ReadVariableOp(?:_\d+)?|serving_default|__saved_model_init_op|unused_control_flow_input(?:_\d+)?|_\d+|)$/;
/** The same, with a name behind it. */
const OWN_BEGINNING = /^(?:ReadVariableOp|serving_default_)/;
/** Outputs of operations that have several, by which functions name their tensors. */
export const OUTPUTS: ReadonlySet<string> = new Set((
  'alg argmax backprop batch_mean batch_variance c ci co count counter cs decoded_indices decoded_shape decoded_values detection_boxes '
  + 'detection_classes detection_scores e empty_row_indicator f flow gradient h handle i idx indices key lengths lhs_output log_abs_determinant '
  + 'log_probability loss lu mean nmsed_boxes nmsed_classes nmsed_scores num_detections o out output output_dense_values output_false '
  + 'output_handle output_indices output_key output_max output_min output_nested_splits output_shape output_true output_values p q r '
  + 'reserve_space_1 reserve_space_2 reserve_space_3 reverse_index_map rhs_output rt_dense_values rt_nested_splits s selected_indices '
  + 'selected_scores sign sorted_keys sorted_values sparse_dense_shape sparse_indices sparse_values sum_indices sum_shape sum_values tensor u v '
  + 'valid_detections valid_outputs value value_index values variance w y'
).split(' '));

export class Names {
  readonly #parts = new Map<string, string>();

  /** `report` gets the new names, so that a report has the same ones as the skeleton. */
  constructor(private readonly report: Anonymous) {}

  name(name: string): string {
    return name.split('/').map((part) => this.#part(part)).join('/');
  }

  /** A name that the user may give in options, or that a message has. */
  known(name: string): string {
    return name === '' ? '' : this.report.rename(name, this.tensor(name));
  }

  /** "name", "name:1", "^name" of a control input, and in functions "name:output:0". */
  tensor(name: string): string {
    const [first, ...ports] = name.replace(/^\^/, '').split(':');
    return [`${name.startsWith('^') ? '^' : ''}${this.name(first!)}`, ...ports.map((port) => (/^\d+$/.test(port) ? port : this.output(port)))].join(':');
  }

  /** An output of an operation or of a function. */
  output(name: string): string {
    return OUTPUTS.has(name) ? name : this.name(name);
  }

  #part(part: string): string {
    if (OWN.test(part)) return part;
    const own = OWN_BEGINNING.exec(part)?.[0] ?? '';
    const rest = part.slice(own.length);
    let alias = this.#parts.get(rest);
    if (alias === undefined) this.#parts.set(rest, (alias = `s${this.#parts.size + 1}`));
    return own + alias;
  }
}
