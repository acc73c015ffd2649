// The mean image of the pictures that a network was trained with: .binaryproto.
#pragma once

#include "core/front/loader.h"

namespace mo::caffe {

extern const Role kMean;

/// Gives the input of pictures the image that --mean_file names, to be subtracted from it. Throws UnknownFormat for
/// a file of another kind, BadOptionValue for offsets that are no (x,y), MeanImageUnfit unless just one input has as
/// many channels.
void set_mean(const LoadRequest& request);

}  // namespace mo::caffe
