# The commands of the guide. The first line makes the models.
python make_models.py models

mo models/mish.onnx --extensions extensions/mish
mo models/mish.onnx --extensions extensions/mish,extensions/swish --disabled_transforms mish.front.mish_fusion.FuseMish
mo --list_transforms --extensions extensions/mish
mo models/operations.onnx --extensions typescript/src

cp extensions/inception_block/inception_block.json blocks.json
mo models/inception_block.onnx --tensorflow_custom_operations_config_update blocks.json
mo models/inception_block.onnx --extensions extensions/inception_block --transformations_config blocks.json

cmake --preset native -DMO_EXTENSIONS=$PWD/cpp
scripts/build.sh native mo
