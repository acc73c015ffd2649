/** scripts/check-rooms.mjs says what a folder of the core may not know: in a tree with one such mistake. */
import { expect, it } from 'vitest';

import { checked } from './support.js';

/** What the check says of a file `path`, beside some types that others have. */
function said(path: string, text: string): string {
  const files: Record<string, string> = {
    'core/graph/graph.h': 'namespace mo {\nclass Graph {\n};\n}\n',
    'core/front/config/config.h': 'namespace mo {\nstruct Config {\n};\n}\n',
    'core/front/tf/load/pipeline.h': 'namespace mo::tf {\nstruct Pipeline {\n};\n}\n',
    'core/script/quickjs/engine.h': 'namespace mo {\nclass Engine final : public Base {\n};\n}\n',
    'core/cli/disk.h': 'namespace mo {\nclass Disk {\n};\n}\n',
    [path]: text,
  };
  const { status, stderr } = checked('check-rooms.mjs', files);
  expect(status).toBe(stderr === '' ? 0 : 1);
  return stderr;
}

it.each([
  ['an include of a room above', 'core/graph/a.h', '#include "core/front/config/config.h"\n', 'front does not stand below graph'],
  ['a declaration of a type of a room above', 'core/graph/a.h', 'namespace mo {\nstruct Config;\n}\n', 'declares Config of core/front/config/config.h: front does not stand below graph'],
  ["a declaration of a framework's type", 'core/graph/a.h', 'namespace mo {\nnamespace tf { struct Pipeline; }\n}\n', 'opens the namespace tf'],
  ["a framework's namespace in shared code", 'core/front/config/a.cpp', 'namespace mo::tf {\nvoid load();\n}\n', "opens the namespace tf: that is tf's"],
  ['another framework', 'core/front/onnx/load/a.cpp', 'namespace mo::tf {\nstruct Pipeline;\n}\n', "declares Pipeline of core/front/tf/load/pipeline.h: that is tf's"],
  ['the engine of extensions in the command', 'core/cli/a.h', '#include "core/script/quickjs/engine.h"\n', 'script does not stand below cli'],
  ['the command in the engine', 'core/script/quickjs/a.h', '#include "core/cli/disk.h"\n', 'cli does not stand below script'],
])('refuses %s', (_what, path, text, reason) => {
  expect(said(path, text)).toContain(reason);
});

it.each([
  ['an include of a room below', 'core/front/config/a.h', '#include "core/graph/graph.h"\n'],
  ['a declaration of a type of a room below', 'core/front/config/a.h', 'namespace mo {\nclass Graph;\n}\n'],
  ['its own types', 'core/front/tf/extract/a.h', 'namespace mo::tf {\nstruct Pipeline;\n}\n'],
])('allows %s', (_what, path, text) => {
  expect(said(path, text)).toBe('');
});
