// Helpers for the attributes of pooling operations.

/** The begins (side 0) or ends (1) of `pad`, a list of a pair for each axis, at the spatial axes: "1,3". */
export function getBackendPad(pad, spatialDims, side) {
  return spatialDims.map((axis) => pad[axis][side]).join(',');
}

/** The part of `values`, one for each axis, at the spatial axes: "2,2". */
export function spatialPart(values, spatialDims) {
  return spatialDims.map((axis) => values[axis]).join(',');
}
