// AverageWindow: average pooling, written as AvgPool of opset1. It uses every form of a record of backendAttrs().
// Attributes with one value for each axis, including batch and channels: stride, window, pad (pairs). spatial_dims lists the
// spatial axes.
import { Op } from '@mo/wasm/extension';
import { getBackendPad, spatialPart } from '../lib/backend_pad.js';

export class AverageWindow extends Op {
  static op = 'AverageWindow';
  static type = 'AvgPool';
  static version = 'opset1';
  static inPortsCount = 1;
  static outPortsCount = 1;
  static defaults = { pool_method: 'avg', exclude_pad: true, rounding_type: 'floor', auto_pad: null };

  static backendAttrs() {
    return [
      ['strides', (node) => spatialPart(node.get('stride'), node.get('spatial_dims'))],
      ['kernel', (node) => spatialPart(node.get('window'), node.get('spatial_dims'))],
      ['pads_begin', (node) => getBackendPad(node.get('pad'), node.get('spatial_dims'), 0)],
      ['pads_end', (node) => getBackendPad(node.get('pad'), node.get('spatial_dims'), 1)],
      ['pool-method', 'pool_method'],
      ['exclude-pad', 'exclude_pad'],
      'rounding_type',
      'auto_pad',
    ];
  }

  static infer(node) {
    const [stride, window, pad] = ['stride', 'window', 'pad'].map((name) => node.get(name));
    const shape = node.inPort(0).data.getShape().map((size, axis) => {
      if (!node.get('spatial_dims').includes(axis) || typeof size !== 'number') return size;
      return Math.floor((size + pad[axis][0] + pad[axis][1] - window[axis]) / stride[axis]) + 1;
    });
    node.outPort(0).data.setShape(shape);
  }
}
