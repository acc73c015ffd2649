// node convert.mjs FOLDER OUT: converts each .onnx and .tflite of a folder. Ends with 1 if a model cannot be converted.
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join, parse } from 'node:path';
import { convert, inspect, MoError } from '@mo/wasm';

const [folder, out] = process.argv.slice(2);
mkdirSync(out, { recursive: true });

for (const file of readdirSync(folder).filter((name) => /\.(onnx|tflite)$/.test(name)).sort()) {
  const path = join(folder, file), { name } = parse(file);
  try {
    const { nodes, bin_bytes } = await inspect(path);
    const { xml, bin, report } = await convert(path, { compress_to_fp16: true, model_name: name });
    await bin.writeTo(join(out, `${name}.bin`));
    writeFileSync(join(out, `${name}.xml`), xml);
    await bin.close();
    console.log(`${file}: ${nodes} operations, ${(bin_bytes.fp16 / 1e6).toFixed(1)} MB, OpenVINO ${report.runtime} or newer`);
  } catch (error) {
    if (!(error instanceof MoError)) throw error;
    for (const { code, text } of error.messages) console.error(`${file}: ${code} ${text}`);
    process.exitCode = 1;
  }
}
