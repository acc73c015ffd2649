"""Names in generated C++."""

# Names that C++ does not allow as enumerators.
RESERVED = set(
    "and or not xor bool break case catch char class const continue default delete do double else enum explicit export extern "
    "false float for friend goto if inline int long namespace new operator private protected public register return short "
    "signed sizeof static struct switch template this throw true try typedef typename union unsigned using virtual void "
    "volatile while NULL EOF".split()
)


def enumerator(name):
    return name + "_" * (name in RESERVED)
