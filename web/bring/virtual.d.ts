/** An ONNX model of a few kilobytes, as base64; scripts/page/example.mjs makes it. */
declare module 'virtual:example' {
  const base64: string;
  export default base64;
}
