/** The URL of the library's worker, which the bundler makes a file of its own. */
declare module '@mo/wasm/worker?worker&url' {
  const url: string;
  export default url;
}
