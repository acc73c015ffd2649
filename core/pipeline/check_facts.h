// What a script needs to know to run the source and the IR on the same inputs: the facts in check_NAME.py.
#pragma once

#include <string>
#include <vector>

#include "core/front/cut/cut_request.h"
#include "core/front/model_head.h"
#include "core/graph/graph.h"

namespace mo {

/// Before anything is rewritten: writes the names that inputs and outputs have in the source into their Parameters and
/// Results. `graph` has been loaded and cut. Gives what check_facts() says about frozen inputs.
std::string note_sources(Graph& graph, const CutRequest& cut);

/// JSON without apostrophes, so that it can stand in a text of Python: {name, framework, tags, options: {name: value},
/// inputs: [{name, names, order, shape, type, mean, scale, reverse, channels}], outputs: [{name, names, order}],
/// frozen: [{names, elements, list}]}.
/// - Inputs and outputs have the order of the IR; `names` are those of the tensor in the source, none if it has no such
/// tensor. `order` is the Transpose from the source to the IR, empty if there is none.
/// - `shape` is that of the IR, `channels` the axis in the source, if it is known. `mean` and `scale` are texts of
/// numbers, and so are `usual_mean` and `usual_scale`, which are there if a file beside the model says how pictures are
/// prepared, and nothing else does it. `reverse` says what is asked for: only three channels are reversed, or an unknown number.
std::string check_facts(const Graph& graph, const ModelHead& head, const std::vector<OptionText>& options,
                        const std::string& frozen);

}  // namespace mo
