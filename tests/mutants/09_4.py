# %% counts calls says="count transitions, not calls"
class EveryTransitions(BaseCallback):
    def __init__(self, every, measure, target):
        super().__init__()
        self.every, self.measure, self.target = every, measure, target
        self.history = []

    def _on_step(self):
        if self.n_calls % self.every:
            return True
        self.history.append((self.num_timesteps, self.measure(self.model)))
        return self.history[-1][1] < self.target


# %% divides and counts calls says="count transitions, not calls"
class EveryTransitions(BaseCallback):
    def __init__(self, every, measure, target):
        super().__init__()
        self.every, self.measure, self.target = every, measure, target
        self.history = []

    def _on_step(self):
        if self.n_calls % max(self.every // self.training_env.num_envs, 1):
            return True
        self.history.append((self.num_timesteps, self.measure(self.model)))
        return self.history[-1][1] < self.target


# %% waits for an exact hit says="may be passed without being hit"
class EveryTransitions(BaseCallback):
    def __init__(self, every, measure, target):
        super().__init__()
        self.every, self.measure, self.target = every, measure, target
        self.history = []

    def _on_step(self):
        if self.num_timesteps % self.every:
            return True
        self.history.append((self.num_timesteps, self.measure(self.model)))
        return self.history[-1][1] < self.target


# %% measures at the first call too says="not before the first"
class EveryTransitions(BaseCallback):
    def __init__(self, every, measure, target):
        super().__init__()
        self.every, self.measure, self.target = every, measure, target
        self.history = []
        self.next = 0

    def _on_step(self):
        if self.num_timesteps < self.next:
            return True
        self.next += self.every
        self.history.append((self.num_timesteps, self.measure(self.model)))
        return self.history[-1][1] < self.target


# %% counts from the last measurement says="may be passed without being hit"
class EveryTransitions(BaseCallback):
    def __init__(self, every, measure, target):
        super().__init__()
        self.every, self.measure, self.target = every, measure, target
        self.history = []
        self.last = 0

    def _on_step(self):
        if self.num_timesteps - self.last < self.every:
            return True
        self.last = self.num_timesteps
        self.history.append((self.num_timesteps, self.measure(self.model)))
        return self.history[-1][1] < self.target


# %% makes up for what was passed before says="not made up for"
class EveryTransitions(BaseCallback):
    def __init__(self, every, measure, target):
        super().__init__()
        self.every, self.measure, self.target = every, measure, target
        self.history = []
        self.done = 0

    def _on_step(self):
        if self.num_timesteps // self.every == self.done:
            return True
        self.done = self.num_timesteps // self.every
        self.history.append((self.num_timesteps, self.measure(self.model)))
        return self.history[-1][1] < self.target


# %% counts its own transitions from 0 says="multiples are those of|not made up for"
class EveryTransitions(BaseCallback):
    def __init__(self, every, measure, target):
        super().__init__()
        self.every, self.measure, self.target = every, measure, target
        self.history = []
        self.own = 0

    def _on_step(self):
        self.own += self.training_env.num_envs
        if self.own // self.every == (self.own - self.training_env.num_envs) // self.every:
            return True
        self.history.append((self.num_timesteps, self.measure(self.model)))
        return self.history[-1][1] < self.target


# %% measures once for each multiple says="measures once"
class EveryTransitions(BaseCallback):
    def __init__(self, every, measure, target):
        super().__init__()
        self.every, self.measure, self.target = every, measure, target
        self.history = []

    def _on_step(self):
        now, before = self.num_timesteps, self.num_timesteps - self.training_env.num_envs
        for _ in range(now // self.every - before // self.every):
            self.history.append((now, self.measure(self.model)))
        return not self.history or self.history[-1][1] < self.target


# %% notes the multiple says="not the multiple that was passed"
class EveryTransitions(BaseCallback):
    def __init__(self, every, measure, target):
        super().__init__()
        self.every, self.measure, self.target = every, measure, target
        self.history = []

    def _on_step(self):
        now, before = self.num_timesteps, self.num_timesteps - self.training_env.num_envs
        if now // self.every == before // self.every:
            return True
        self.history.append((now // self.every * self.every, self.measure(self.model)))
        return self.history[-1][1] < self.target


# %% returns nothing in between says="None counts as False"
class EveryTransitions(BaseCallback):
    def __init__(self, every, measure, target):
        super().__init__()
        self.every, self.measure, self.target = every, measure, target
        self.history = []

    def _on_step(self):
        now, before = self.num_timesteps, self.num_timesteps - self.training_env.num_envs
        if now // self.every > before // self.every:
            self.history.append((now, self.measure(self.model)))
            return self.history[-1][1] < self.target


# %% stops only above the target says="at the target or above"
class EveryTransitions(BaseCallback):
    def __init__(self, every, measure, target):
        super().__init__()
        self.every, self.measure, self.target = every, measure, target
        self.history = []

    def _on_step(self):
        now, before = self.num_timesteps, self.num_timesteps - self.training_env.num_envs
        if now // self.every == before // self.every:
            return True
        self.history.append((now, self.measure(self.model)))
        return self.history[-1][1] <= self.target


# %% never stops says="at the target or above"
class EveryTransitions(BaseCallback):
    def __init__(self, every, measure, target):
        super().__init__()
        self.every, self.measure, self.target = every, measure, target
        self.history = []

    def _on_step(self):
        now, before = self.num_timesteps, self.num_timesteps - self.training_env.num_envs
        if now // self.every > before // self.every:
            self.history.append((now, self.measure(self.model)))
        return True


# %% stops when it should go on says="no measurement has reached"
class EveryTransitions(BaseCallback):
    def __init__(self, every, measure, target):
        super().__init__()
        self.every, self.measure, self.target = every, measure, target
        self.history = []

    def _on_step(self):
        now, before = self.num_timesteps, self.num_timesteps - self.training_env.num_envs
        if now // self.every == before // self.every:
            return True
        self.history.append((now, self.measure(self.model)))
        return self.history[-1][1] >= self.target


# %% measures in every call says="once each time"
class EveryTransitions(BaseCallback):
    def __init__(self, every, measure, target):
        super().__init__()
        self.every, self.measure, self.target = every, measure, target
        self.history = []

    def _on_step(self):
        now, before = self.num_timesteps, self.num_timesteps - self.training_env.num_envs
        value = self.measure(self.model)
        if now // self.every == before // self.every:
            return True
        self.history.append((now, value))
        return value < self.target


# %% notes the value alone says="holds tuples"
class EveryTransitions(BaseCallback):
    def __init__(self, every, measure, target):
        super().__init__()
        self.every, self.measure, self.target = every, measure, target
        self.history = []

    def _on_step(self):
        now, before = self.num_timesteps, self.num_timesteps - self.training_env.num_envs
        if now // self.every == before // self.every:
            return True
        self.history.append(self.measure(self.model))
        return self.history[-1] < self.target


# %% measures the robots says="is given `self.model`"
class EveryTransitions(BaseCallback):
    def __init__(self, every, measure, target):
        super().__init__()
        self.every, self.measure, self.target = every, measure, target
        self.history = []

    def _on_step(self):
        now, before = self.num_timesteps, self.num_timesteps - self.training_env.num_envs
        if now // self.every == before // self.every:
            return True
        self.training_env.num_timesteps = now
        self.history.append((now, self.measure(self.training_env)))
        return self.history[-1][1] < self.target


# %% shares one history says="share one history|may be passed|not before"
class EveryTransitions(BaseCallback):
    history = []

    def __init__(self, every, measure, target):
        super().__init__()
        self.every, self.measure, self.target = every, measure, target

    def _on_step(self):
        now, before = self.num_timesteps, self.num_timesteps - self.training_env.num_envs
        if now // self.every == before // self.every:
            return True
        self.history.append((now, self.measure(self.model)))
        return self.history[-1][1] < self.target
