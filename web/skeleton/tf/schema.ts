/** The fields of TensorFlow's messages that skeletons have. Texts have their names. */

/** A type of protobuf, or the name of a message. */
export type Type = 'text' | 'int' | 'bool' | 'float' | 'double' | 'type' | keyof typeof MESSAGES;

const entry = <V extends string>(value: V) => ({ key: [1, 'text'], value: [2, value] }) as const;

export const MESSAGES = {
  GraphDef: { node: [1, 'NodeDef'], library: [2, 'FunctionDefLibrary'], version: [3, 'int'], versions: [4, 'VersionDef'] },
  VersionDef: { producer: [1, 'int'], min_consumer: [2, 'int'], bad_consumers: [3, 'int'] },
  NodeDef: { name: [1, 'text'], op: [2, 'text'], input: [3, 'text'], attr: [5, 'AttrEntry'] },
  AttrEntry: entry('AttrValue'),
  NameAttrList: { name: [1, 'text'] },
  AttrValue: {
    list: [1, 'ListValue'], s: [2, 'text'], i: [3, 'int'], f: [4, 'float'], b: [5, 'bool'], type: [6, 'type'], shape: [7, 'TensorShapeProto'], tensor: [8, 'TensorProto'],
    placeholder: [9, 'text'], func: [10, 'NameAttrList'],
  },
  ListValue: {
    s: [2, 'text'], i: [3, 'int'], f: [4, 'float'], b: [5, 'bool'], type: [6, 'type'], shape: [7, 'TensorShapeProto'], func: [9, 'NameAttrList'],
  },
  TensorShapeProto: { dim: [2, 'Dim'], unknown_rank: [3, 'bool'] },
  Dim: { size: [1, 'int'] },
  TensorProto: {
    dtype: [1, 'type'], tensor_shape: [2, 'TensorShapeProto'], tensor_content: [4, 'text'], float_val: [5, 'float'], double_val: [6, 'double'], int_val: [7, 'int'],
    string_val: [8, 'text'], scomplex_val: [9, 'float'], int64_val: [10, 'int'], bool_val: [11, 'bool'], dcomplex_val: [12, 'double'], half_val: [13, 'int'],
    uint32_val: [16, 'int'], uint64_val: [17, 'int'],
  },
  FunctionDefLibrary: { function: [1, 'FunctionDef'] },
  FunctionDef: { signature: [1, 'OpDef'], node_def: [3, 'NodeDef'], ret: [4, 'TextEntry'] },
  TextEntry: entry('text'),
  OpDef: { name: [1, 'text'], input_arg: [2, 'ArgDef'], output_arg: [3, 'ArgDef'] },
  ArgDef: { name: [1, 'text'], type: [3, 'type'], is_ref: [16, 'bool'] },
  SavedModel: { saved_model_schema_version: [1, 'int'], meta_graphs: [2, 'MetaGraphDef'] },
  MetaGraphDef: { meta_info_def: [1, 'MetaInfoDef'], graph_def: [2, 'GraphDef'], signature_def: [5, 'SignatureEntry'] },
  MetaInfoDef: { stripped_op_list: [2, 'OpList'], tags: [4, 'text'], tensorflow_version: [5, 'text'] },
  OpList: { op: [1, 'OpDef'] },
  SignatureEntry: entry('SignatureDef'),
  SignatureDef: { inputs: [1, 'InfoEntry'], outputs: [2, 'InfoEntry'], method_name: [3, 'text'] },
  InfoEntry: entry('TensorInfo'),
  TensorInfo: { name: [1, 'text'], dtype: [2, 'type'], tensor_shape: [3, 'TensorShapeProto'] },
} as const satisfies Record<string, Readonly<Record<string, readonly [number: number, type: string]>>>;

/** DataType: the names behind "DT_" in the order of their numbers; references to variables are 100 more. */
export const DATA_TYPES = ('INVALID FLOAT DOUBLE INT32 UINT8 INT16 INT8 STRING COMPLEX64 INT64 BOOL QINT8 QUINT8 QINT32 BFLOAT16 QINT16 QUINT16 UINT16 COMPLEX128 HALF RESOURCE '
  + 'VARIANT UINT32 UINT64 FLOAT8_E5M2 FLOAT8_E4M3FN').split(' ');
