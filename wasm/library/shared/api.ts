import type { Message } from './messages.js';

/** The progress of a conversion. Events come in order; within a phase `bytes` grows. */
export interface Progress {
  readonly phase: 'load' | 'extract' | 'front' | 'infer' | 'middle' | 'layout' | 'back' | 'emit' | 'write';
  /** The transformation about to run, or an empty string. */
  readonly transform: string;
  /** Transformation `index`, from 1, of `count` over all phases. */
  readonly index: number;
  readonly count: number;
  /** Bytes read of the model's files so far; in the phase `write`, the bytes of the `.bin` so far. */
  readonly bytes: number;
  /** The size of the model's files opened so far; in the phase `write`, the size of the `.bin`. */
  readonly totalBytes: number;
}

/** A line that an extension logs below warnings, which are part of the result. */
export interface LogLine {
  readonly level: 'info' | 'debug';
  readonly text: string;
}

/** How to observe and stop a conversion. */
export interface Controls {
  onProgress?: (progress: Progress) => void;
  /** Gets what extensions log: all levels below warnings, in order. */
  onLog?: (line: LogLine) => void;
  /** Ends the conversion at once; the promise rejects with the signal's reason, an AbortError by default. */
  signal?: AbortSignal;
}

/** One input or output of the model. */
export interface Port {
  readonly name: string;
  /** The names of the tensor, at most 64 of them. */
  readonly names: readonly string[];
  /** Dimensions as OpenVINO writes them, for example `[?,3,224,224]`. */
  readonly shape: string;
  /** The element type, for example `f32`. */
  readonly type: string;
}

/** An output of a model that has not been converted: its shape and type only where the file gives them. */
export type DeclaredOutput = Pick<Port, 'name' | 'names'> & Partial<Pick<Port, 'shape' | 'type'>>;

/** How a picture becomes the model's input, and what its outputs mean, as a file beside the model says. What it does not say is empty. */
export interface Preparation {
  /** The name of that file. */
  readonly file: string;
  /** What it calls the model. */
  readonly model: string;
  /** As the options of these names are written, for numbers from 0 to 255: `[123.675,116.28,103.53]`. */
  readonly mean_values: string;
  readonly scale_values: string;
  /** `RGB` or `BGR`. */
  readonly colours: string;
  /** `hwc` or `chw`: of the numbers that are normalised. */
  readonly order: string;
  /** The size of the picture, as the file has it: `[3,48,320]`. */
  readonly size: string;
  /** The name of a file, or of a list in that file, with what the outputs mean. */
  readonly dictionary: string;
}

/** What a model is, and what prevents its conversion, found without inferring shapes and without reading weights. */
export interface Inspection {
  readonly name: string;
  readonly framework: string;
  /** For people, for example `TensorFlow`. */
  readonly format: string;
  /** The program that made the file, and its version; empty where the file does not say. */
  readonly producer: string;
  readonly producer_version: string;
  /** For TensorFlow the version of the graph, of the domain `tensorflow`. */
  readonly operator_sets: readonly { readonly domain: string; readonly version: number }[];
  /** The signature and the tags of the graph in a SavedModel that the options choose. */
  readonly signature: string;
  readonly tags: readonly string[];
  /** As they are with the options given. An unknown rank is `[...]`. */
  readonly inputs: readonly Port[];
  readonly outputs: readonly DeclaredOutput[];
  /** How many operations of each of the framework's types there are, those of bodies and called functions too. */
  readonly operations: Readonly<Record<string, number>>;
  /** The number of all these operations. */
  readonly nodes: number;
  /** The constants that an output needs, and their size in bytes. */
  readonly constants: number;
  readonly constant_bytes: number;
  /** The size that the `.bin` will have, in bytes, about: without and with `compress_to_fp16`. Weights that are missing do not count. */
  readonly bin_bytes: { readonly f32: number; readonly fp16: number };
  /**
   * With the option `weight_sizes`: the size that the `.bin` has with each `weight_format`, in bytes; not there if the conversion would fail. It follows from
   * shapes: large weights are not read, so their numbers can change it, as NaN that no integers can be made of.
   */
  readonly weight_sizes?: WeightSizes;
  /** Files with weights that the model names and that are not there. */
  readonly missing_files: readonly string[];
  /** Where a file beside the model says how pictures are prepared. */
  readonly preparation?: Preparation;
  /** All errors and warnings in order, for example all unsupported operations. Without an error the model may still fail to convert. */
  readonly messages: readonly Message[];
}

/** Sizes of the `.bin` by `weight_format`. */
export interface WeightSizes {
  readonly fp32: number;
  readonly fp16: number;
  readonly int8: number;
  readonly int4: number;
}

/** What is known of a model before its operations are looked at one by one. */
export type FirstFacts = Omit<Inspection, 'constants' | 'constant_bytes' | 'bin_bytes' | 'weight_sizes' | 'missing_files' | 'messages'>;

/** How to observe and stop an inspection. */
export interface InspectControls extends Controls {
  /** Gets the facts that are known first, for a large model after half of the time. It is not called if loading the model finds errors. */
  onFacts?: (facts: FirstFacts) => void;
}

/** The verdict on an IR. */
export interface Verification {
  /** Nothing is wrong. Operations of extensions, which are not checked, are warnings. */
  readonly ok: boolean;
  readonly name: string;
  /** Of the IR: 10 or 11. */
  readonly version: number;
  /** What the IR says of the programs that wrote it: `MO_version`, `Runtime_version`. Either may be missing. */
  readonly rt_info: Readonly<Partial<Record<'MO_version' | 'Runtime_version', string>>>;
  readonly inputs: readonly Port[];
  readonly outputs: readonly Port[];
  /** Those of bodies count. */
  readonly layers: number;
  readonly constants: number;
  /** How many operations of each type there are, without constants. */
  readonly operations: Readonly<Record<string, number>>;
  /** The bytes of all constants. Those that share a place count once. */
  readonly constant_bytes: number;
  /** Where the last constant ends: the `.bin` has at least so many bytes. */
  readonly bin_needed: number;
  /** The size of the `.bin`; null if there is none. */
  readonly bin_bytes: number | null;
  /** All findings, as `mo --verify` prints them. */
  readonly messages: readonly Message[];
  /** With the option `graph`. */
  readonly graph?: IrGraph;
}

/** How an IR is verified. */
export interface VerifyOptions {
  /** Say what the graph is, too. */
  readonly graph?: boolean | undefined;
}

/** The graph of an IR as it is written. Long texts are cut. */
export interface IrGraph {
  /** In the order of the file; those of a body come right behind its owner. */
  readonly nodes: readonly IrNode[];
}

/** A layer of an IR. */
export interface IrNode {
  /** Absent in the graph itself: `12.then_body` is a body of its node 12. */
  readonly graph?: string;
  /** The place among the layers of the graph. */
  readonly id: number;
  readonly name: string;
  /** The type of the operation. */
  readonly op: string;
  /** For each input what it reads: a node of the same graph, and which of its outputs; null for what is not connected. */
  readonly in?: readonly (readonly [id: number, output: number] | null)[];
  readonly out?: readonly { readonly shape: string; readonly type: string; readonly names?: readonly string[] }[];
  readonly attributes?: Readonly<Record<string, string>>;
  /** The number that the file gives it; -1 if there is none. */
  readonly layer: number;
  /** The operation set. */
  readonly version: string;
  /** Where it is in the `.xml`: the same as in messages. */
  readonly line: number;
  readonly column: number;
}

/** How two IRs are compared. */
export interface CompareOptions {
  /** Compare the contents of constants, which reads the `.bin` of both, instead of their places. */
  readonly hash?: boolean | undefined;
}

/** Kinds of differences, in the order in which they come. */
export type DifferenceKind =
  | 'only_in_a' | 'only_in_b' | 'type' | 'version' | 'attribute' | 'input' | 'element_type' | 'shape' | 'constant' | 'place' | 'contents' | 'names' | 'layout'
  | 'order' | 'body';

/** One difference between two IRs. */
export interface Difference {
  readonly kind: DifferenceKind;
  /** The names of the layer in A and in B; empty where it is not. */
  readonly names: readonly [a: string, b: string];
  /** Of the operation in IR. */
  readonly type: string;
  /** The names of the layers around it, joined by `/`; empty in the graph itself. */
  readonly body: string;
  /** For example `strides`, or `output 0`. */
  readonly what: string;
  /** Empty where there is none. */
  readonly values: readonly [a: string, b: string];
}

/** What differs between two IRs. */
export interface Comparison {
  readonly same: boolean;
  /** The contents of constants were compared. */
  readonly contents: boolean;
  /** How many operations each has, without constants; those of bodies count. */
  readonly operations: readonly [a: number, b: number];
  /** Operations that are in both: under one name, and under two. */
  readonly matched: { readonly by_name: number; readonly by_structure: number };
  /** Pairs of constants that were compared. */
  readonly constants: number;
  readonly counts: Readonly<Partial<Record<DifferenceKind, number>>>;
  /** At most 1000 of each kind. */
  readonly differences: readonly Difference[];
  /** What `mo --compare` prints. */
  readonly text: string;
}

/** A node of a model, by the names that `input` and `output` take. */
export interface PlaceNode {
  readonly name: string;
  /** The framework's type, with its domain where that is not ONNX's own. */
  readonly op: string;
  /** The numbers of the inputs that read something else than a constant: `NUMBER:NAME` cuts there. */
  readonly inputs: readonly number[];
  /** For each output the names of its tensor; none if the framework does not name it. */
  readonly outputs: readonly (readonly string[])[];
}

/** What has become of the weights of a layer with `weight_format` `int8` or `int4`. */
export interface WeightRow {
  /** The constant. */
  readonly name: string;
  /** The operation that reads it, and its type in IR. */
  readonly layer: string;
  readonly op: string;
  readonly shape: readonly number[];
  /** `int8_asym`, `int8_sym`, `int4_asym`, `int4_sym` or `float`. */
  readonly format: string;
  /** How many weights share a scale; -1: a whole channel. */
  readonly group_size: number;
  /** Bytes in the `.bin`, with scales and zero points. */
  readonly before: number;
  readonly after: number;
  /** What OpenVINO's CPU plugin does with integers when it loads them. */
  readonly cpu?: 'small' | 'expanded';
  /** Why they stay as they are, as docs/weights.md lists it: `ignored`, `not_smaller`… */
  readonly stays?: string;
}

/** A summary of the result. */
export interface Report {
  readonly name: string;
  readonly framework: string;
  readonly inputs: readonly Port[];
  readonly outputs: readonly Port[];
  /** How many operations of each type the IR has. */
  readonly operations: Readonly<Record<string, number>>;
  readonly constants: number;
  readonly xml_bytes: number;
  readonly bin_bytes: number;
  /** The oldest OpenVINO release that reads the IR. */
  readonly runtime: string;
  /** Where a file beside the model says how pictures are prepared. */
  readonly preparation?: Preparation;
  /** With `weight_format` `int8` or `int4`: the layers with weights. */
  readonly weights?: readonly WeightRow[];
}

/** A file that an option asks for beside the pair. */
export interface ResultFile {
  readonly kind: 'mapping' | 'check' | 'trace';
  /** As the command names it: `NAME.mapping`, `check_NAME.py`, `NAME.trace.json`. */
  readonly name: string;
  readonly text: string;
}

/** An IR: the text of the `.xml` and the content of the `.bin`. */
export interface Result<Bin> {
  readonly xml: string;
  readonly bin: Bin;
  /** The files that options ask for beside the pair, in the order in which the command writes them. */
  readonly sideFiles: readonly ResultFile[];
  /** The text of the `.mapping`; empty unless `generate_mapping` asks for it. */
  readonly mapping: string;
  /** The text of `check_NAME.py`, which runs model and IR on the same inputs; empty unless `emit_check` asks for it. */
  readonly check: string;
  /** JSON of a `Trace`: what each transformation changed; empty unless `trace` asks for it. */
  readonly trace: string;
  readonly report: Report;
  readonly warnings: readonly Message[];
}

/** The option for a configuration instead of an IR. */
export const CONFIG_UPDATE = 'tensorflow_custom_operations_config_update';
