#include "core/graph/port.h"

#include <algorithm>

#include "core/graph/graph.h"

namespace mo {
namespace {

const char kControlFlow[] = "a control-flow port has no tensor";

void require_joinable(const Node& from, const Node& to, bool same_kind) {
  if (&from.graph() != &to.graph() || from.removed() || to.removed())
    throw Error(Code::InvalidGraph, "ports of different graphs or of a removed node cannot be joined", to.place());
  if (!same_kind) throw Error(Code::InvalidGraph, "a control-flow port cannot be joined with a data port", to.place());
}

InPort only_one(const std::vector<InPort>& ports, const OutPort& source) {
  if (ports.size() > 1)
    throw Error(Code::SeveralDestinations, msg(ports.size(), " inputs"), source ? source.node().place() : Place());
  return ports.empty() ? InPort() : ports[0];
}

void add_names(NameList& to, const NameList& names) {
  for (const std::string& name : names) to.add(name);
}

}  // namespace

// OutPort

Tensor& OutPort::tensor() const {
  if (!*this) throw Error(Code::MissingInput, "an input that the operation needs is not connected");
  if (is_control_flow()) throw Error(Code::NoSuchPort, kControlFlow, node().place());
  return node().output(index()).tensor;
}

std::optional<std::vector<int64_t>> OutPort::exact_ints() const { return *this ? tensor().exact_ints() : std::nullopt; }
std::optional<int64_t> OutPort::exact_int() const { return *this ? tensor().exact_int() : std::nullopt; }

std::vector<InPort> OutPort::destinations() const {
  const Node::Consumers& consumers = node().consumers(*this);
  return {consumers.begin(), consumers.end()};
}

size_t OutPort::reader_count() const { return node().consumers(*this).size(); }

InPort OutPort::destination() const { return only_one(destinations(), *this); }

bool OutPort::disconnected() const { return node().consumers(*this).empty(); }

void OutPort::disconnect() const {
  for (const InPort& port : destinations()) port.disconnect();
}

void OutPort::connect(InPort port) const { port.connect(*this); }

Connection OutPort::connection() const {
  if (is_control_flow()) throw Error(Code::InvalidGraph, kControlFlow, node().place());
  return {*this, destinations()};
}

// InPort

OutPort& InPort::slot() const {
  return is_control_flow() ? node().rare().control_in[static_cast<size_t>(index())]
                           : node().inputs_[static_cast<size_t>(index())];
}

OutPort InPort::source() const { return slot(); }

void InPort::disconnect() const {
  OutPort& source = slot();
  if (!source) return;
  Node::Consumers& consumers = source.node().consumers(source);
  consumers.erase(*this);
  source = {};
  node().graph().model().edited = true;
  if (!is_control_flow()) node().inputs_changed();
}

void InPort::connect(OutPort source) const {
  require_joinable(source.node(), node(), source.is_control_flow() == is_control_flow());
  disconnect();
  slot() = source;
  node().graph().model().edited = true;
  source.node().consumers(source).push_back(*this);
  if (!is_control_flow()) node().inputs_changed();
}

Connection InPort::connection() const {
  if (is_control_flow()) throw Error(Code::InvalidGraph, kControlFlow, node().place());
  return {source(), {*this}};
}

// Connection

InPort Connection::destination() const { return only_one(destinations_, source_); }

void Connection::set_source(OutPort port, TensorNames mode) {
  if (source_) {
    if (mode == TensorNames::Default)
      mode = source_.node().op() == "Parameter" ? TensorNames::Source : TensorNames::Merge;
    if (mode != TensorNames::Source && !(source_ == port)) {
      auto& names = port.tensor().names;
      auto& old = source_.tensor().names;
      if (mode == TensorNames::Dest) names.clear();
      add_names(names, old);
      old.clear();
    }
  }
  for (const InPort& destination : destinations_) destination.connect(port);
  source_ = port;
}

void Connection::set_destination(InPort port, TensorNames mode) {
  const OutPort before = port.source();
  for (const InPort& destination : destinations_) destination.disconnect();
  port.disconnect();
  if (source_) {
    if (before && mode != TensorNames::Source && !(before == source_)) {
      auto& names = source_.tensor().names;
      if (mode == TensorNames::Dest) names.clear();
      add_names(names, before.tensor().names);
      before.tensor().names.clear();
    }
    port.connect(source_);
  }
  destinations_ = {port};
}

void Connection::add_destination(InPort port) {
  if (!source_) throw Error(Code::InvalidGraph, "the connection has no source", port.node().place());
  port.connect(source_);
  if (std::find(destinations_.begin(), destinations_.end(), port) == destinations_.end()) destinations_.push_back(port);
}

void Connection::insert_node(Node& node, TensorNames mode) {
  const OutPort before = source_;
  set_source(node.out(0), mode);
  if (before) node.in(0).connect(before);
}

void Connection::remove() {
  for (const InPort& destination : destinations_) destination.disconnect();
  destinations_.clear();
}

}  // namespace mo
