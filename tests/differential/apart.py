"""Work in a process of its own, because some models end the process that they are given to."""
import multiprocessing


class Apart:
    """`serve(pipe)` runs in that process: it sends something when it is ready, then answers what comes through the pipe, until it ends."""

    def __init__(self, serve, seconds):
        self.serve, self.seconds, self.process = serve, seconds, None

    def ask(self, question):
        """(answer, ""), or (None, what went wrong). After an end the next question starts another process."""
        if self.process is None:
            spawning = multiprocessing.get_context("spawn")
            self.pipe, theirs = spawning.Pipe()
            self.process = spawning.Process(target=self.serve, args=(theirs,), daemon=True)
            self.process.start()
            theirs.close()
            self.pipe.recv()  # the start is not part of the time
        try:
            self.pipe.send(question)
            if self.pipe.poll(self.seconds):
                return self.pipe.recv(), ""
            said = f"no result after {self.seconds} s"
        except (EOFError, OSError):
            said = "the process ended"
        self.end()
        return None, said

    def end(self):
        """The next question starts another process."""
        if self.process is not None:
            self.process.kill()
            self.process = None
