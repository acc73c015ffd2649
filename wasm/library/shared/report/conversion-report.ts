/** What a report of a conversion says. */
import type { Report } from '../api.js';
import type { Message } from '../messages.js';
import type { TimedStep } from './times.js';

/** A node as the report names it. */
export interface ReportNode {
  /** '' is the model's own graph; the others are bodies: see NodePlace. */
  readonly graph: string;
  readonly id: number;
  readonly name: string;
  readonly op: string;
}

/** A transformation that changed something. */
export interface ReportStep {
  readonly phase: string;
  readonly transform: string;
  /** The nodes that it removed, as they were. */
  readonly before: readonly ReportNode[];
  /** The nodes that it added, and those that it changed in more than shapes, as they are after the step. */
  readonly after: readonly ReportNode[];
  readonly changed: readonly ReportNode[];
}

/** A constant of the model that is not in the IR as it was. */
export interface FoldedWeight {
  readonly name: string;
  /** Type and shape, for example `f32[64,3,7,7]`. */
  readonly value: string;
  /** The transformation that took it away. */
  readonly phase: string;
  readonly transform: string;
  /** The nodes of the IR that it is part of; none where nothing needs it. */
  readonly into: readonly ReportNode[];
}

/** A node of the model, and the layers of the IR that it became. */
export interface Origin extends ReportNode {
  /** Byte in the model's file, or line of a text. */
  readonly offset?: number;
  readonly line?: number;
  /** Each graph numbers its layers separately. */
  readonly layers: readonly (readonly [graph: string, layer: number])[];
}

/** `to` is empty where there is nothing left of it. */
export interface Renamed {
  readonly from: string;
  readonly to: string;
}

/** A file of the result. */
export interface ReportFile {
  readonly name: string;
  readonly bytes: number;
  readonly sha256?: string;
}

/** What makeReport() gives: what a conversion did to a model, step by step. */
export interface ConversionReport {
  /** The version of the converter, if it was given. */
  readonly version: string;
  readonly options: Readonly<Record<string, string>>;
  /** As the conversion gives it. */
  readonly result: Report;
  readonly files: readonly ReportFile[];
  readonly messages: readonly Message[];
  readonly times: readonly TimedStep[];
  readonly steps: readonly ReportStep[];
  readonly names: {
    readonly inputs: readonly Renamed[];
    readonly outputs: readonly Renamed[];
    /** Tensors of the model whose names the IR has. */
    readonly tensorsKept: number;
    readonly tensorsGone: readonly string[];
  };
  readonly weights: readonly FoldedWeight[];
  readonly provenance: readonly Origin[];
}
