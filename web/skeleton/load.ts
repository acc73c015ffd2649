/** Loaded with what else the page needs when something fails. */
export const loadSkeleton = () => import('./onnx.js');
