/** typescript.mjs as a text, packed by deflate and written in base64: most extensions do not need it. The build makes it. */
declare const packed: string;
export default packed;
