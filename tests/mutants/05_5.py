# %% waits for ever says="it waited for an answer that never comes"
def guarded_step(envs, actions, seconds):
    try:
        return envs.step(actions)
    except (EOFError, ConnectionError) as error:
        for process in envs.processes:
            process.kill()
            process.join()
        envs.closed = True
        raise RuntimeError("a worker is lost") from error


# %% catches Python's TimeoutError says="is not Python's `TimeoutError`"
def guarded_step(envs, actions, seconds):
    try:
        envs.step_async(actions)
        return envs.step_wait(timeout=seconds)
    except (EOFError, ConnectionError, TimeoutError) as error:
        for process in envs.processes:
            process.kill()
            process.join()
        envs.closed = True
        raise RuntimeError("a worker is lost") from error


# %% forgets the worker that died before says="when you send to it, as ConnectionError"
def guarded_step(envs, actions, seconds):
    try:
        envs.step_async(actions)
        return envs.step_wait(timeout=seconds)
    except (EOFError, multiprocessing.TimeoutError) as error:
        for process in envs.processes:
            process.kill()
            process.join()
        envs.closed = True
        raise RuntimeError("a worker is lost") from error


# %% sends outside the try says="when you send to it, as ConnectionError"
def guarded_step(envs, actions, seconds):
    envs.step_async(actions)
    try:
        return envs.step_wait(timeout=seconds)
    except (EOFError, ConnectionError, multiprocessing.TimeoutError) as error:
        for process in envs.processes:
            process.kill()
            process.join()
        envs.closed = True
        raise RuntimeError("a worker is lost") from error


# %% closes politely says="it waited for an answer|closing raised an error of its own"
def guarded_step(envs, actions, seconds):
    try:
        envs.step_async(actions)
        return envs.step_wait(timeout=seconds)
    except (EOFError, ConnectionError, multiprocessing.TimeoutError) as error:
        envs.close()
        raise RuntimeError("a worker is lost") from error


# %% closes with terminate says="closing raised an error of its own"
def guarded_step(envs, actions, seconds):
    try:
        envs.step_async(actions)
        return envs.step_wait(timeout=seconds)
    except (EOFError, ConnectionError, multiprocessing.TimeoutError) as error:
        envs.close(terminate=True)
        raise RuntimeError("a worker is lost") from error


# %% leaves the workers alone says="workers are still there"
def guarded_step(envs, actions, seconds):
    try:
        envs.step_async(actions)
        return envs.step_wait(timeout=seconds)
    except (EOFError, ConnectionError, multiprocessing.TimeoutError) as error:
        raise RuntimeError("a worker is lost") from error


# %% hides the failing close says="workers are still there"
def guarded_step(envs, actions, seconds):
    try:
        envs.step_async(actions)
        return envs.step_wait(timeout=seconds)
    except (EOFError, ConnectionError, multiprocessing.TimeoutError) as error:
        try:
            envs.close(terminate=True)
        except Exception:
            pass
        raise RuntimeError("a worker is lost") from error


# %% kills and does not mark as closed says="a later `envs.close..` must do nothing"
def guarded_step(envs, actions, seconds):
    try:
        envs.step_async(actions)
        return envs.step_wait(timeout=seconds)
    except (EOFError, ConnectionError, multiprocessing.TimeoutError) as error:
        for process in envs.processes:
            process.kill()
            process.join()
        raise RuntimeError("a worker is lost") from error


# %% marks as closed and kills nobody says="workers are still there"
def guarded_step(envs, actions, seconds):
    try:
        envs.step_async(actions)
        return envs.step_wait(timeout=seconds)
    except (EOFError, ConnectionError, multiprocessing.TimeoutError) as error:
        envs.closed = True
        raise RuntimeError("a worker is lost") from error


# %% catches everything says="a robot's own error must go on"
def guarded_step(envs, actions, seconds):
    try:
        envs.step_async(actions)
        return envs.step_wait(timeout=seconds)
    except Exception as error:
        for process in envs.processes:
            process.kill()
            process.join()
        envs.closed = True
        raise RuntimeError("a worker is lost") from error


# %% returns None says="as if nothing had happened"
def guarded_step(envs, actions, seconds):
    try:
        envs.step_async(actions)
        return envs.step_wait(timeout=seconds)
    except (EOFError, ConnectionError, multiprocessing.TimeoutError):
        for process in envs.processes:
            process.kill()
            process.join()
        envs.closed = True


# %% hides the cause says="raise your error `from` the one"
def guarded_step(envs, actions, seconds):
    try:
        envs.step_async(actions)
        return envs.step_wait(timeout=seconds)
    except (EOFError, ConnectionError, multiprocessing.TimeoutError):
        for process in envs.processes:
            process.kill()
            process.join()
        envs.closed = True
        raise RuntimeError("a worker is lost") from None


# %% says nothing says="an error without a word"
def guarded_step(envs, actions, seconds):
    try:
        envs.step_async(actions)
        return envs.step_wait(timeout=seconds)
    except (EOFError, ConnectionError, multiprocessing.TimeoutError) as error:
        for process in envs.processes:
            process.kill()
            process.join()
        envs.closed = True
        raise RuntimeError from error


# %% ends the workers after every step says="nothing happened, and yet"
def guarded_step(envs, actions, seconds):
    try:
        envs.step_async(actions)
        return envs.step_wait(timeout=seconds)
    except (EOFError, ConnectionError, multiprocessing.TimeoutError) as error:
        raise RuntimeError("a worker is lost") from error
    finally:
        for process in envs.processes:
            process.kill()
            process.join()
        envs.closed = True


# %% polls once and gives up says="a slow robot's answer must be waited for"
def guarded_step(envs, actions, seconds):
    try:
        envs.step_async(actions)
        return envs.step_wait(timeout=0.05)
    except multiprocessing.TimeoutError:
        flags = np.zeros(envs.num_envs, dtype=bool)
        return envs.observations, np.zeros(envs.num_envs), flags, flags, {}


# %% counts in milliseconds says="counts in seconds"
def guarded_step(envs: AsyncVectorEnv, actions: np.ndarray, seconds: float) -> tuple:
    """Step all robots; if a worker is gone or silent, end all of them and raise RuntimeError."""
    try:
        envs.step_async(actions)
        return envs.step_wait(timeout=seconds / 1000)
    except (EOFError, ConnectionError, multiprocessing.TimeoutError) as error:
        for process in envs.processes:
            process.kill()
            process.join()
        envs.closed = True
        name = type(error).__name__
        raise RuntimeError(f"a worker is gone or silent ({name}); all are ended") from error
