// The extension table: ports, connections and tensors. Declared in wasm/extension/core/core-table.ts.
#include "core/ops/op_def.h"
#include "core/script/table.h"
#include "core/script/values.h"

namespace mo::js {
namespace {

/// A limit, so that port numbers cannot exhaust the memory.
constexpr int kMaxPort = 1 << 16;

void require_port_number(int index) {
  if (index < 0 || index > kMaxPort) throw Error(Code::NoSuchPort, msg("a port number lies in 0..", kMaxPort));
}

val in_port_ids(int g, int n) {
  return guarded_val([&] {
    const Node& node = state().node(g, n);
    std::vector<int> ids;
    for (int i = 0; i < node.in_count(); ++i)
      if (node.has_in_port(i)) ids.push_back(i);
    return to_numbers(ids);
  });
}
val out_port_ids(int g, int n) {
  return guarded_val([&] {
    const Node& node = state().node(g, n);
    std::vector<int> ids;
    for (int o = 0; o < node.out_count(); ++o)
      if (node.has_out_port(o)) ids.push_back(o);
    return to_numbers(ids);
  });
}
int has_in_port(int g, int n, int i) {
  return guarded(kPending, [&] { return state().node(g, n).has_in_port(i) ? 1 : 0; });
}
int has_out_port(int g, int n, int o) {
  return guarded(kPending, [&] { return state().node(g, n).has_out_port(o) ? 1 : 0; });
}
int add_in_port(int g, int n, int i) {
  return guarded_action([&] {
    require_port_number(i);
    state().node(g, n).add_in_port(i);
  });
}
int add_out_port(int g, int n, int o) {
  return guarded_action([&] {
    require_port_number(o);
    state().node(g, n).add_out_port(o);
  });
}
int delete_in_port(int g, int n, int i) {
  return guarded_action([&] { state().node(g, n).delete_in_port(i); });
}
int delete_out_port(int g, int n, int o) {
  return guarded_action([&] { state().node(g, n).delete_out_port(o); });
}

InPort input(int g, int n, int i, bool control) {
  Node& node = state().node(g, n);
  if (control) require_port_number(i);
  return control ? node.control_in(i) : node.in(i);
}
OutPort output(int g, int n, int o, bool control) {
  Node& node = state().node(g, n);
  if (control) require_port_number(o);
  return control ? node.control_out(o) : node.out(o);
}

double source(int g, int n, int i, bool control) {
  return guarded(static_cast<double>(NAN), [&] {
    const OutPort port = input(g, n, i, control).source();
    return port ? join(port.node(), port.index()) : -1.0;
  });
}
val destinations(int g, int n, int o, bool control) {
  return guarded_val([&] {
    std::vector<double> out;
    for (const InPort& port : output(g, n, o, control).destinations()) out.push_back(join(port.node(), port.index()));
    return to_numbers(out);
  });
}
int connect_ports(int g, double from, double to, bool control) {
  return guarded_action([&] { state().in_port(g, to, control).connect(state().out_port(g, from, control)); });
}
int disconnect_in(int g, int n, int i, bool control) {
  return guarded_action([&] { input(g, n, i, control).disconnect(); });
}
int disconnect_out(int g, int n, int o, bool control) {
  return guarded_action([&] { output(g, n, o, control).disconnect(); });
}

Connection connection(int g, double from, const val& to) {
  return {from < 0 ? OutPort() : state().out_port(g, from), state().in_ports(g, to)};
}
int set_source(int g, double from, val to, double port, int mode) {
  return guarded_action(
      [&] { connection(g, from, to).set_source(state().out_port(g, port), static_cast<TensorNames>(mode)); });
}
int set_destination(int g, double from, val to, double port, int mode) {
  return guarded_action(
      [&] { connection(g, from, to).set_destination(state().in_port(g, port), static_cast<TensorNames>(mode)); });
}
int insert_node(int g, double from, val to, int n, int mode) {
  return guarded_action(
      [&] { connection(g, from, to).insert_node(state().node(g, n), static_cast<TensorNames>(mode)); });
}

/// The consumers of a tensor that an extension changed are inferred again.
void require_consumers(int g, int n, int o) {
  if (state().inferring > 0) return;
  for (const InPort& port : state().node(g, n).out(o).destinations()) port.node().require_shape_inference();
}

int shape(int g, int n, int o) {
  return guarded(kPending, [&] {
    const PartialShape& known = state().tensor(g, n, o).shape;
    if (known.rank() > kMaxRank) throw Error(Code::RankMismatch, msg("more than ", kMaxRank, " dimensions"));
    double* out = state().dimensions;
    for (int axis = 0; axis < known.rank(); ++axis) {
      const Dimension& d = known[static_cast<size_t>(axis)];
      *out++ = static_cast<double>(d.min);
      *out++ = d.max == Interval::kInfinity ? -1 : static_cast<double>(d.max);
    }
    return known.rank();
  });
}
val dimensions() { return view_of(state().dimensions, 2 * kMaxRank); }
int set_shape(int g, int n, int o, val bounds) {
  return guarded_action([&] {
    Tensor& tensor = state().tensor(g, n, o);
    PartialShape shape = to_shape(bounds);
    if (shape.is_static()) element_count(shape.to_shape());
    if (!(shape == tensor.shape)) tensor.value.reset(), tensor.ints.reset();
    tensor.shape = std::move(shape);
    require_consumers(g, n, o);
  });
}
val value(int g, int n, int o) {
  return guarded_val([&] { return value_record(state().tensor(g, n, o)); });
}
int set_known_value(int g, int n, int o, val record) {
  return guarded_action([&] {
    set_value(state().node(g, n), o, record);
    require_consumers(g, n, o);
  });
}
int element_type_of(int g, int n, int o) {
  return guarded(kPending, [&] {
    const ElementType type = state().tensor(g, n, o).type;
    return type == ElementType::Unknown ? -1 : state().text_number(ir_name(type));
  });
}
int set_element_type(int g, int n, int o, std::string type) {
  return guarded_action([&] {
    state().tensor(g, n, o).type = to_type(type);
    require_consumers(g, n, o);
  });
}
val tensor_names(int g, int n, int o) {
  return guarded_val([&] { return to_js(state().tensor(g, n, o).names); });
}
int add_tensor_names(int g, int n, int o, val names) {
  return guarded_action([&] {
    Tensor& tensor = state().tensor(g, n, o);
    for (const std::string& name : list_of<std::string>(names)) tensor.add_name(name);
  });
}

/// No extension needs more, and a page cannot hold more.
constexpr uint64_t kMaxBytes = uint64_t{1} << 30;

val constant_bytes(int number) {
  return guarded_val([&] {
    const auto bytes = read_all(state().constant(number), state().files(), kMaxBytes);
    if (!bytes) throw Error(Code::TooManyElements, msg("more than ", kMaxBytes, " bytes"));
    return copy_of(reinterpret_cast<const uint8_t*>(bytes->data()), bytes->size());
  });
}

}  // namespace

void add_port_functions(Table& table) {
  table.add<in_port_ids>("inPortIds");
  table.add<out_port_ids>("outPortIds");
  table.add<has_in_port>("hasInPort");
  table.add<has_out_port>("hasOutPort");
  table.add<add_in_port>("addInPort");
  table.add<add_out_port>("addOutPort");
  table.add<delete_in_port>("deleteInPort");
  table.add<delete_out_port>("deleteOutPort");
  table.add<source>("source");
  table.add<destinations>("destinations");
  table.add<connect_ports>("connectPorts");
  table.add<disconnect_in>("disconnectIn");
  table.add<disconnect_out>("disconnectOut");
  table.add<set_source>("setSource");
  table.add<set_destination>("setDestination");
  table.add<insert_node>("insertNode");
  table.add<shape>("shape");
  table.add<dimensions>("dimensions");
  table.add<set_shape>("setShape");
  table.add<value>("value");
  table.add<set_known_value>("setValue");
  table.add<element_type_of>("elementType");
  table.add<set_element_type>("setElementType");
  table.add<tensor_names>("tensorNames");
  table.add<add_tensor_names>("addTensorNames");
  table.add<constant_bytes>("constantBytes");
}

}  // namespace mo::js
