"""Norms of vectors and matrices, and distances."""
import torch
from torch.nn import functional as F

from models import Family, fed, flags, given, ints

family = Family(__name__)
case = family.case
INF = float("inf")
X, ROWS, OTHERS = fed(2, 5, 4), fed(5, 3), fed(4, 3)
case("norm_dims", lambda x: (x.norm(2, (1, 2)), x.norm(1, 1, True), x.norm(3.0, -1), x.norm(INF, (0, 2))), X, unknown=(0,), core=True)
case("norm_all", lambda x: (x.norm(), x.norm(1), x.norm(0), x.norm(-INF)), X)
case("norm_fro", lambda x: (torch.norm(x, "fro"), torch.norm(x, "fro", 1)), X)
case("norm_type", lambda x: torch.norm(x, 2, 1, dtype=torch.float32), fed(2, 3, dtype="float16"))
case("norm_zero", lambda x: (torch.linalg.vector_norm(x, 0, 1), torch.linalg.vector_norm(x, -1, 1)), given([[0.0, 1.0, 2.0], [3.0, 0.5, -1.0]]))
case("norm_of_scalar", lambda x: (torch.linalg.vector_norm(x), torch.linalg.vector_norm(x, 3), torch.linalg.vector_norm(x, INF)), given(-2.5))
case("frobenius_norm", lambda x: (torch.ops.aten.frobenius_norm.dim(x, [1, 2]), torch.ops.aten.frobenius_norm.dim(x, [0], True)), X, core=True)
case("linalg_norm", lambda x: (torch.linalg.norm(x), torch.linalg.norm(x, 1, -1), torch.linalg.norm(x, INF, 1, True), torch.linalg.norm(x, dim=(0, 1))), X, unknown=(0,), core=True)
case("linalg_norm_matrix", lambda x: (torch.linalg.norm(x, 1), torch.linalg.norm(x, -INF), torch.linalg.norm(x, "fro"), torch.linalg.norm(x)), ROWS, core=True)
case("linalg_norm_list", lambda x: (torch.linalg.norm(x, 1), torch.linalg.norm(x, 2.5)), fed(5))
case("linalg_matrix_norm", lambda x: (torch.linalg.matrix_norm(x), torch.linalg.matrix_norm(x, 1), torch.linalg.matrix_norm(x, -1), torch.linalg.matrix_norm(x, INF)), X, core=True)
case("linalg_matrix_norm_axes", lambda x: (torch.linalg.matrix_norm(x, -INF, (0, 2), True), torch.linalg.matrix_norm(x, 1, (2, 0)), torch.linalg.matrix_norm(x, "fro", (0, 1))), X)
case("nuclear_refused", lambda x: torch.ops.aten.nuclear_norm(x), ROWS, refused="singular values")
case("linalg_norm_nuclear_refused", lambda x: torch.linalg.matrix_norm(x, "nuc"), ROWS, refused="singular values")
case("linalg_norm_spectral_refused", lambda x: torch.linalg.matrix_norm(x, 2), ROWS, refused="singular values")
case("dist", lambda x, y: (torch.dist(x, y), torch.dist(x, y, 1), torch.dist(x, y, INF), torch.dist(x, y, 0), torch.dist(x, y, 2.5)), ROWS, fed(3), core=True)
case("renorm", lambda x: (torch.renorm(x, 2, 0, 0.5), torch.renorm(x, 1, 1, 1.0)), ROWS, unknown=(0,), core=True)
case("renorm_largest", lambda x: torch.renorm(x, INF, 0, 0.5), ROWS, unknown=(0,))
case("pairwise_distance", lambda x, y: (F.pairwise_distance(x, y), F.pairwise_distance(x, y, 1, 1e-3, True), F.pairwise_distance(x, y, INF)), ROWS, fed(3), unknown={0: (0,)}, core=True)
case("cosine_similarity", lambda x, y: (F.cosine_similarity(x, y), F.cosine_similarity(x, y, 0), F.cosine_similarity(x, y, -1, 0.9)), ROWS, fed(5, 3), core=True)
case("cosine_similarity_broadcast", lambda x, y: F.cosine_similarity(x[:, None], y[None], -1), ROWS, OTHERS, unknown={0: (0,)})
case("cosine_similarity_zero", lambda x, y: F.cosine_similarity(x, y), given([[0.0, 0.0], [1.0, 2.0]]), given([[1.0, 2.0], [3.0, 4.0]]))
case("cdist", lambda x, y: (torch.cdist(x, y), torch.cdist(x, y, 1), torch.cdist(x, y, INF), torch.cdist(x, y, 3), torch.cdist(x, y, 0)), ROWS, OTHERS, unknown={0: (0,)}, core=True)
case("cdist_batches", lambda x, y: torch.cdist(x, y), fed(2, 5, 3), fed(4, 3), core=True)
case("cdist_forward", lambda x, y: (torch.ops.aten._cdist_forward(x, y, 2.0, None), torch.ops.aten._cdist_forward(x, y, 1.0, 2)), ROWS, OTHERS)
case("euclidean_dist", lambda x, y: torch.ops.aten._euclidean_dist(x, y), ROWS, OTHERS)
case("pdist", lambda x: (F.pdist(x), F.pdist(x, 1), F.pdist(x, INF)), ROWS, core=True)
case("pdist_refused", lambda x: F.pdist(x), ROWS, unknown=(0,), refused="rows that are not known")
