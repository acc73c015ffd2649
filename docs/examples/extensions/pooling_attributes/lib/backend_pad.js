// What the attributes of pooling operations are made of.

/** One side (0 the begin, 1 the end) of `pad`, which has a pair for each axis, of the spatial axes only: "1,3". */
export function getBackendPad(pad, spatialDims, side) {
  return spatialDims.map((axis) => pad[axis][side]).join(',');
}

/** `values`, of which there is one for each axis, at the spatial axes: "2,2". */
export function spatialPart(values, spatialDims) {
  return spatialDims.map((axis) => values[axis]).join(',');
}
