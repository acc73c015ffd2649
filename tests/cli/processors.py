"""What commands cost that a test has run."""
import resource


def processor_seconds():
    """Of all commands that have ended: what else a machine does makes them late, but costs them less."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
