/** The options that have a field: their titles, and their help texts in core/pipeline/options.def. */
export const OPTIONS = {
  'Model name': '模型名称',
  'Name of the model in the IR and of the two files; by default the model file\'s name without its ending.': 'IR 中模型的名称，也是两个文件的名称；默认为模型文件名（不含扩展名）。',
  Input: '输入',
  'Inputs of the model, separated by commas: the name of an input, tensor or node, PORT:NODE or NODE:PORT, then [shape], {type} and ->value as needed. What comes before them is cut off.':
    '模型的输入，以逗号分隔：输入、张量或节点的名称，PORT:NODE 或 NODE:PORT，需要时再加 [shape]、{type} 和 ->value。在它们之前的部分会被裁剪。',
  Output: '输出',
  'Outputs of the model, separated by commas: the name of a tensor or node, NODE:PORT or PORT:NODE. What follows them is cut off.':
    '模型的输出，以逗号分隔：张量或节点的名称，NODE:PORT 或 PORT:NODE。在它们之后的部分会被裁剪。',
  'Shapes of the inputs, in their order or that of --input: [1,3,224,224] or [1,3,224,224],[1,?]. A dimension is a number, ? or -1 for any, or a range such as 1..8; [] is a scalar.':
    '输入的形状，按输入的次序或 --input 的次序：[1,3,224,224] 或 [1,3,224,224],[1,?]。维度可以是数，? 或 -1 表示任意，也可以是 1..8 这样的范围；[] 表示标量。',
  Batch: '批大小',
  'The first dimension of every input.': '每个输入的第一个维度。',
  'Mean values': '均值',
  'Numbers to subtract from the inputs, one for each channel or one for all: (123.7,116.3,103.5), or by name data(1,2,3),info[4]. Without names in the order of the inputs, or of --input.':
    '从输入中减去的数，每个通道一个，或全部共用一个：(123.7,116.3,103.5)，或按名称写作 data(1,2,3),info[4]。不写名称时按输入的次序或 --input 的次序。',
  'Scale values': '缩放值',
  'Numbers that the inputs are divided by, after the mean values are subtracted; written like them.': '减去均值之后输入所除以的数；写法与均值相同。',
  'A number that all inputs are divided by.': '所有输入都除以的数。',
  'Reverse input channels': '反转输入通道',
  'Reverse the channels of inputs that have three, before mean and scale values are applied: RGB becomes BGR.': '在应用均值和缩放值之前，反转三通道输入的通道次序：RGB 变为 BGR。',
  'Source layout': '源布局',
  'Layouts of inputs and outputs in the model: nchw, or by name data(nchw),prob([n,c]). N is the batch, C the channels, ? an axis without a name; n...c has any number of axes.':
    '模型中输入和输出的布局：nchw，或按名称写作 data(nchw),prob([n,c])。N 是批，C 是通道，? 是没有名称的轴；n...c 的轴数任意。',
  'Target layout': '目标布局',
  'Layouts that inputs and outputs shall have in the IR, written like --source_layout.': '输入和输出在 IR 中应有的布局，写法与 --source_layout 相同。',
  'Both layouts: nchw->nhwc, or by name data(nchw->nhwc),prob(nc).': '同时给出两种布局：nchw->nhwc，或按名称写作 data(nchw->nhwc),prob(nc)。',
  'Compress to fp16': '压缩为 FP16',
  'Store f32 and f64 weights as f16 with a Convert behind them.': '将 f32 和 f64 权重存为 f16，其后加一个 Convert。',
  Transform: '附加变换',
  'Transformations of the result, separated by commas: LowLatency2[use_const_initializer=False], MakeStateful[param_res_names={\'input\':\'output\'}], Pruning.':
    '对结果进行的变换，以逗号分隔：LowLatency2[use_const_initializer=False]、MakeStateful[param_res_names={\'input\':\'output\'}]、Pruning。',
  'Transformations config': '变换配置',
  'JSON that describes the sub-graphs that transformations replace, or the name of a built-in one: see --list_configurations.':
    '描述变换所替换的子图的 JSON，或内置配置的名称：见 --list_configurations。',
  'Static shape': '静态形状',
  'Fold what depends on the shapes of inputs; the IR cannot be reshaped afterwards.': '折叠取决于输入形状的部分；此后 IR 不能再改变形状。',
  'Freeze placeholder with value': '用值冻结输入',
  'Inputs that become constants: name->value, separated by commas; as ->value in --input.': '变为常量的输入：name->value，以逗号分隔；同 --input 中的 ->value。',
  'Input checkpoint': '输入检查点',
  'The checkpoint with the variables of a graph that is not frozen: the name of its files without .index.': '未冻结的图的变量所在的检查点：其文件名，不含 .index。',
  'Saved model tags': 'SavedModel 标签',
  'The tags of the graph in the SavedModel, separated by commas; by default serve, or the only graph.': 'SavedModel 中图的标签，以逗号分隔；默认为 serve，或唯一的图。',
  'Tensorflow object detection api pipeline config': 'TensorFlow 目标检测 API 的 pipeline.config',
  'The pipeline.config of a detection model, for the transformations of --transformations_config.': '检测模型的 pipeline.config，供 --transformations_config 的变换使用。',
  'Disable NHWC to NCHW': '不将 NHWC 转为 NCHW',
  'Keep the shapes of a model in NHWC: each operation that needs NCHW stands between Transposes of its own.': '保持模型的 NHWC 形状：每个需要 NCHW 的算子前后各有自己的 Transpose。',
  'Saved model signature': 'SavedModel 签名',
  'The signature of the SavedModel or .tflite: its inputs and outputs; by default serving_default, or the only one; of a .tflite the first.': 'SavedModel 或 .tflite 的签名，即其输入和输出；默认为 serving_default，或唯一的签名；.tflite 则为第一个。',
  'Verify checksums': '核对校验和',
  'Compare the variables of a checkpoint with their checksums, which reads them all. The index is always compared.': '将检查点的变量与其校验和比较，这会读取全部变量。索引总会比较。',
  'Generate mapping': '生成映射文件',
  'Allow large output': '允许很大的结果',
  'Write the IR even if it is larger than four times the files of the model and 1 GB. Such a model is refused otherwise: a small file can ask for terabytes.': '即使 IR 大于模型文件的四倍加 1 GB，也写出它。否则会拒绝这样的模型：很小的文件可能要求写出数 TB。',
  'Write NAME.mapping, too: where each tensor of the model is in the IR.': '同时写出 NAME.mapping：模型的每个张量在 IR 中的位置。',
  'Emit check': '生成检查脚本',
  'Write check_NAME.py, too: a script that runs the model and the IR on the same inputs, and prints how far their outputs are apart.':
    '同时写出 check_NAME.py：用相同的输入运行模型和 IR 并打印输出差异的脚本。',
  'Enabled transforms': '启用的变换',
  'Transformations to enable, by id or full name, separated by commas; as MO_ENABLED_TRANSFORMS in the environment.':
    '要启用的变换，用 id 或全名，以逗号分隔；同环境变量 MO_ENABLED_TRANSFORMS。',
  'Disabled transforms': '禁用的变换',
  'Transformations to disable, by id or full name, separated by commas; as MO_DISABLED_TRANSFORMS in the environment.':
    '要禁用的变换，用 id 或全名，以逗号分隔；同环境变量 MO_DISABLED_TRANSFORMS。',
} as const;
