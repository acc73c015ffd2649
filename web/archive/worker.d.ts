/** The worker that lists archives as one script; scripts/page/worker-text.mjs makes it. */
declare module 'virtual:archive-worker' {
  const text: string;
  export default text;
}
