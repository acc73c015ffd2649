#!/usr/bin/env python3
"""dump-onnx-schemas.py EXTENSION_MODULE: the onnx package's tables of operators, as JSON on stdout.

Loads the package's compiled module alone, so nothing the package imports has to be there.
"""
import base64
import importlib.util
import json
import sys


def load_definitions(path):
    spec = importlib.util.spec_from_file_location("onnx_cpp2py_export", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.defs


def text(message):
    return base64.b64encode(message).decode()


def parameter(formal):
    return {"name": formal.name, "kind": formal.option.name}


def row(schema):
    out = {
        "domain": schema.domain,
        "name": schema.name,
        "since": schema.since_version,
        "deprecated": schema.deprecated,
        "inputs": [parameter(formal) for formal in schema.inputs],
        "outputs": [parameter(formal) for formal in schema.outputs],
        "inputs_range": [schema.min_input, schema.max_input],
        "outputs_range": [schema.min_output, schema.max_output],
    }
    if schema.has_function:
        out["functions"] = {
            str(version): text(schema.get_function_with_opset_version(version))
            for version in sorted(schema.function_opset_versions)
        }
        # A function's definition does not repeat the defaults that its operator has.
        defaults = {name: attribute._default_value for name, attribute in schema.attributes.items()}
        out["defaults"] = {name: text(value) for name, value in sorted(defaults.items()) if value}
    return out


def main():
    definitions = load_definitions(sys.argv[1])
    schemas = sorted(definitions.get_all_schemas_with_history(), key=lambda s: (s.domain, s.name, s.since_version))
    domains = {domain: newest for domain, (_, newest) in sorted(definitions.schema_version_map().items())}
    json.dump({"domains": domains, "operators": [row(s) for s in schemas]}, sys.stdout, indent=1, sort_keys=True)
    print()


main()
