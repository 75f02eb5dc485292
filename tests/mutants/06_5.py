# %% mends nothing says="final observations have been overwritten"
class TightVectorEnv(LeakyVectorEnv):
    pass


# %% hands out read-only arrays says="cannot write into"
class TightVectorEnv(LeakyVectorEnv):
    def look(self):
        seen = self.rules.observations[self.state]
        seen.flags.writeable = False
        return seen

    def reset(self, options):
        mask = options["reset_mask"]
        self.state[mask], self.elapsed[mask] = self.rules.start, 0
        return self.look(), {}

    def step(self, action, slides):
        action = np.where(slides, FORWARD, action)
        entry = self.rules.table[self.state * 4 + action]
        self.state = entry >> 2
        self.elapsed = self.elapsed + 1
        np.add.at(self.visits, self.state, 1)
        reward, terminated = REWARDS[entry & 3], entry & 3 >= 2
        truncated = self.elapsed >= self.limit
        infos = {"final_obs": self.look(), "elapsed": self.elapsed.copy()}
        done = terminated | truncated
        self.state[done], self.elapsed[done] = self.rules.start, 0
        return self.look(), reward, terminated, truncated, infos


# %% keeps the one buffer for all observations says="final observations have been overwritten"
class TightVectorEnv(LeakyVectorEnv):
    def look(self):
        return np.take(self.rules.observations, self.state, axis=0, out=self.seen)

    def reset(self, options):
        mask = options["reset_mask"]
        self.state[mask], self.elapsed[mask] = self.rules.start, 0
        return self.look(), {}

    def step(self, action, slides):
        action = np.where(slides, FORWARD, action)
        entry = self.rules.table[self.state * 4 + action]
        self.state = entry >> 2
        self.elapsed = self.elapsed + 1
        np.add.at(self.visits, self.state, 1)
        reward, terminated = REWARDS[entry & 3], entry & 3 >= 2
        truncated = self.elapsed >= self.limit
        infos = {"final_obs": self.look(), "elapsed": self.elapsed.copy()}
        done = terminated | truncated
        self.state[done], self.elapsed[done] = self.rules.start, 0
        return self.look(), reward, terminated, truncated, infos


# %% copies the final observations, and keeps the buffer says="changed later"
class TightVectorEnv(LeakyVectorEnv):
    def look(self):
        return np.take(self.rules.observations, self.state, axis=0, out=self.seen)

    def reset(self, options):
        mask = options["reset_mask"]
        self.state[mask], self.elapsed[mask] = self.rules.start, 0
        return self.look(), {}

    def step(self, action, slides):
        action = np.where(slides, FORWARD, action)
        entry = self.rules.table[self.state * 4 + action]
        self.state = entry >> 2
        self.elapsed = self.elapsed + 1
        np.add.at(self.visits, self.state, 1)
        reward, terminated = REWARDS[entry & 3], entry & 3 >= 2
        truncated = self.elapsed >= self.limit
        infos = {"final_obs": self.look().copy(), "elapsed": self.elapsed.copy()}
        done = terminated | truncated
        self.state[done], self.elapsed[done] = self.rules.start, 0
        return self.look(), reward, terminated, truncated, infos


# %% hands out a view of the buffer says="final observations have been overwritten|changed later"
class TightVectorEnv(LeakyVectorEnv):
    def look(self):
        np.take(self.rules.observations, self.state, axis=0, out=self.seen)
        return self.seen[:]

    def reset(self, options):
        mask = options["reset_mask"]
        self.state[mask], self.elapsed[mask] = self.rules.start, 0
        return self.look(), {}

    def step(self, action, slides):
        action = np.where(slides, FORWARD, action)
        entry = self.rules.table[self.state * 4 + action]
        self.state = entry >> 2
        self.elapsed = self.elapsed + 1
        np.add.at(self.visits, self.state, 1)
        reward, terminated = REWARDS[entry & 3], entry & 3 >= 2
        truncated = self.elapsed >= self.limit
        infos = {"final_obs": self.look(), "elapsed": self.elapsed.copy()}
        done = terminated | truncated
        self.state[done], self.elapsed[done] = self.rules.start, 0
        return self.look(), reward, terminated, truncated, infos


# %% uses two buffers in turn says="changed later"
class TightVectorEnv(LeakyVectorEnv):
    def look(self):
        self.turn = 1 - getattr(self, "turn", 0)
        self.pair = getattr(self, "pair", [self.seen, self.seen.copy()])
        return np.take(self.rules.observations, self.state, axis=0, out=self.pair[self.turn])

    def reset(self, options):
        mask = options["reset_mask"]
        self.state[mask], self.elapsed[mask] = self.rules.start, 0
        return self.look(), {}

    def step(self, action, slides):
        action = np.where(slides, FORWARD, action)
        entry = self.rules.table[self.state * 4 + action]
        self.state = entry >> 2
        self.elapsed = self.elapsed + 1
        np.add.at(self.visits, self.state, 1)
        reward, terminated = REWARDS[entry & 3], entry & 3 >= 2
        truncated = self.elapsed >= self.limit
        infos = {"final_obs": self.look(), "elapsed": self.elapsed.copy()}
        done = terminated | truncated
        self.state[done], self.elapsed[done] = self.rules.start, 0
        return self.look(), reward, terminated, truncated, infos


# %% hands out its own counters says="step counts show 0"
class TightVectorEnv(LeakyVectorEnv):
    def look(self):
        return self.rules.observations[self.state]

    def reset(self, options):
        mask = options["reset_mask"]
        self.state[mask], self.elapsed[mask] = self.rules.start, 0
        return self.look(), {}

    def step(self, action, slides):
        action = np.where(slides, FORWARD, action)
        entry = self.rules.table[self.state * 4 + action]
        self.state = entry >> 2
        self.elapsed = self.elapsed + 1
        np.add.at(self.visits, self.state, 1)
        reward, terminated = REWARDS[entry & 3], entry & 3 >= 2
        truncated = self.elapsed >= self.limit
        infos = {"final_obs": self.look(), "elapsed": self.elapsed}
        done = terminated | truncated
        self.state[done], self.elapsed[done] = self.rules.start, 0
        return self.look(), reward, terminated, truncated, infos


# %% hands out its own counters after the reset says="step counts show 0"
class TightVectorEnv(LeakyVectorEnv):
    def look(self):
        return self.rules.observations[self.state]

    def reset(self, options):
        mask = options["reset_mask"]
        self.state[mask], self.elapsed[mask] = self.rules.start, 0
        return self.look(), {}

    def step(self, action, slides):
        action = np.where(slides, FORWARD, action)
        entry = self.rules.table[self.state * 4 + action]
        self.state = entry >> 2
        self.elapsed = self.elapsed + 1
        np.add.at(self.visits, self.state, 1)
        reward, terminated = REWARDS[entry & 3], entry & 3 >= 2
        truncated = self.elapsed >= self.limit
        infos = {"final_obs": self.look()}
        done = terminated | truncated
        self.state[done], self.elapsed[done] = self.rules.start, 0
        infos["elapsed"] = self.elapsed.copy()
        return self.look(), reward, terminated, truncated, infos


# %% counts in an array that it handed out says="changed later|wrong after the caller"
class TightVectorEnv(LeakyVectorEnv):
    def look(self):
        return self.rules.observations[self.state]

    def reset(self, options):
        mask = options["reset_mask"]
        self.state[mask], self.elapsed[mask] = self.rules.start, 0
        return self.look(), {}

    def step(self, action, slides):
        action = np.where(slides, FORWARD, action)
        entry = self.rules.table[self.state * 4 + action]
        self.state = entry >> 2
        self.elapsed += 1
        np.add.at(self.visits, self.state, 1)
        reward, terminated = REWARDS[entry & 3], entry & 3 >= 2
        truncated = self.elapsed >= self.limit
        infos = {"final_obs": self.look(), "elapsed": self.elapsed}
        done = terminated | truncated
        self.state[done] = self.rules.start
        ended = self.elapsed
        self.elapsed = self.elapsed if not done.any() else np.where(done, 0, ended)
        return self.look(), reward, terminated, truncated, infos


# %% writes the slides into the actions says="actions were overwritten"
class TightVectorEnv(LeakyVectorEnv):
    def look(self):
        return self.rules.observations[self.state]

    def reset(self, options):
        mask = options["reset_mask"]
        self.state[mask], self.elapsed[mask] = self.rules.start, 0
        return self.look(), {}

    def step(self, action, slides):
        action[slides] = FORWARD
        entry = self.rules.table[self.state * 4 + action]
        self.state = entry >> 2
        self.elapsed = self.elapsed + 1
        np.add.at(self.visits, self.state, 1)
        reward, terminated = REWARDS[entry & 3], entry & 3 >= 2
        truncated = self.elapsed >= self.limit
        infos = {"final_obs": self.look(), "elapsed": self.elapsed.copy()}
        done = terminated | truncated
        self.state[done], self.elapsed[done] = self.rules.start, 0
        return self.look(), reward, terminated, truncated, infos


# %% copies the actions and forgets the slides says="mending a leak must not change the world"
class TightVectorEnv(LeakyVectorEnv):
    def look(self):
        return self.rules.observations[self.state]

    def reset(self, options):
        mask = options["reset_mask"]
        self.state[mask], self.elapsed[mask] = self.rules.start, 0
        return self.look(), {}

    def step(self, action, slides):
        action = action.copy()
        entry = self.rules.table[self.state * 4 + action]
        self.state = entry >> 2
        self.elapsed = self.elapsed + 1
        np.add.at(self.visits, self.state, 1)
        reward, terminated = REWARDS[entry & 3], entry & 3 >= 2
        truncated = self.elapsed >= self.limit
        infos = {"final_obs": self.look(), "elapsed": self.elapsed.copy()}
        done = terminated | truncated
        self.state[done], self.elapsed[done] = self.rules.start, 0
        return self.look(), reward, terminated, truncated, infos


# %% pops the mask from the caller's options says="`pop` takes it out"
class TightVectorEnv(LeakyVectorEnv):
    def look(self):
        return self.rules.observations[self.state]

    def reset(self, options):
        mask = options.pop("reset_mask")
        self.state[mask], self.elapsed[mask] = self.rules.start, 0
        return self.look(), {}

    def step(self, action, slides):
        action = np.where(slides, FORWARD, action)
        entry = self.rules.table[self.state * 4 + action]
        self.state = entry >> 2
        self.elapsed = self.elapsed + 1
        np.add.at(self.visits, self.state, 1)
        reward, terminated = REWARDS[entry & 3], entry & 3 >= 2
        truncated = self.elapsed >= self.limit
        infos = {"final_obs": self.look(), "elapsed": self.elapsed.copy()}
        done = terminated | truncated
        self.state[done], self.elapsed[done] = self.rules.start, 0
        return self.look(), reward, terminated, truncated, infos


# %% empties the options, as Gymnasium does in DISABLED mode says="have lost their `reset_mask`"
class TightVectorEnv(LeakyVectorEnv):
    def look(self):
        return self.rules.observations[self.state]

    def reset(self, options):
        mask = options["reset_mask"]
        options.clear()
        self.state[mask], self.elapsed[mask] = self.rules.start, 0
        return self.look(), {}

    def step(self, action, slides):
        action = np.where(slides, FORWARD, action)
        entry = self.rules.table[self.state * 4 + action]
        self.state = entry >> 2
        self.elapsed = self.elapsed + 1
        np.add.at(self.visits, self.state, 1)
        reward, terminated = REWARDS[entry & 3], entry & 3 >= 2
        truncated = self.elapsed >= self.limit
        infos = {"final_obs": self.look(), "elapsed": self.elapsed.copy()}
        done = terminated | truncated
        self.state[done], self.elapsed[done] = self.rules.start, 0
        return self.look(), reward, terminated, truncated, infos


# %% resets everybody, whatever the mask says="the others stay where they are"
class TightVectorEnv(LeakyVectorEnv):
    def look(self):
        return self.rules.observations[self.state]

    def reset(self, options):
        mask = options["reset_mask"]
        self.state[:], self.elapsed[:] = self.rules.start, 0
        return self.look(), {}

    def step(self, action, slides):
        action = np.where(slides, FORWARD, action)
        entry = self.rules.table[self.state * 4 + action]
        self.state = entry >> 2
        self.elapsed = self.elapsed + 1
        np.add.at(self.visits, self.state, 1)
        reward, terminated = REWARDS[entry & 3], entry & 3 >= 2
        truncated = self.elapsed >= self.limit
        infos = {"final_obs": self.look(), "elapsed": self.elapsed.copy()}
        done = terminated | truncated
        self.state[done], self.elapsed[done] = self.rules.start, 0
        return self.look(), reward, terminated, truncated, infos


# %% forgets the counters of a masked reset says="sets the masked counters"
class TightVectorEnv(LeakyVectorEnv):
    def look(self):
        return self.rules.observations[self.state]

    def reset(self, options):
        mask = options["reset_mask"]
        self.state[mask] = self.rules.start
        return self.look(), {}

    def step(self, action, slides):
        action = np.where(slides, FORWARD, action)
        entry = self.rules.table[self.state * 4 + action]
        self.state = entry >> 2
        self.elapsed = self.elapsed + 1
        np.add.at(self.visits, self.state, 1)
        reward, terminated = REWARDS[entry & 3], entry & 3 >= 2
        truncated = self.elapsed >= self.limit
        infos = {"final_obs": self.look(), "elapsed": self.elapsed.copy()}
        done = terminated | truncated
        self.state[done], self.elapsed[done] = self.rules.start, 0
        return self.look(), reward, terminated, truncated, infos


# %% returns the masked rows only says="the observations show all of them|shape"
class TightVectorEnv(LeakyVectorEnv):
    def look(self):
        return self.rules.observations[self.state]

    def reset(self, options):
        mask = options["reset_mask"]
        self.state[mask], self.elapsed[mask] = self.rules.start, 0
        return self.look()[mask], {}

    def step(self, action, slides):
        action = np.where(slides, FORWARD, action)
        entry = self.rules.table[self.state * 4 + action]
        self.state = entry >> 2
        self.elapsed = self.elapsed + 1
        np.add.at(self.visits, self.state, 1)
        reward, terminated = REWARDS[entry & 3], entry & 3 >= 2
        truncated = self.elapsed >= self.limit
        infos = {"final_obs": self.look(), "elapsed": self.elapsed.copy()}
        done = terminated | truncated
        self.state[done], self.elapsed[done] = self.rules.start, 0
        return self.look(), reward, terminated, truncated, infos


# %% counts two robots in one state once says="adds 1, not 2"
class TightVectorEnv(LeakyVectorEnv):
    def look(self):
        return self.rules.observations[self.state]

    def reset(self, options):
        mask = options["reset_mask"]
        self.state[mask], self.elapsed[mask] = self.rules.start, 0
        return self.look(), {}

    def step(self, action, slides):
        action = np.where(slides, FORWARD, action)
        entry = self.rules.table[self.state * 4 + action]
        self.state = entry >> 2
        self.elapsed = self.elapsed + 1
        self.visits[self.state] += 1
        reward, terminated = REWARDS[entry & 3], entry & 3 >= 2
        truncated = self.elapsed >= self.limit
        infos = {"final_obs": self.look(), "elapsed": self.elapsed.copy()}
        done = terminated | truncated
        self.state[done], self.elapsed[done] = self.rules.start, 0
        return self.look(), reward, terminated, truncated, infos


# %% counts where the robots stand after the reset says="before any reset"
class TightVectorEnv(LeakyVectorEnv):
    def look(self):
        return self.rules.observations[self.state]

    def reset(self, options):
        mask = options["reset_mask"]
        self.state[mask], self.elapsed[mask] = self.rules.start, 0
        return self.look(), {}

    def step(self, action, slides):
        action = np.where(slides, FORWARD, action)
        entry = self.rules.table[self.state * 4 + action]
        self.state = entry >> 2
        self.elapsed = self.elapsed + 1
        reward, terminated = REWARDS[entry & 3], entry & 3 >= 2
        truncated = self.elapsed >= self.limit
        infos = {"final_obs": self.look(), "elapsed": self.elapsed.copy()}
        done = terminated | truncated
        self.state[done], self.elapsed[done] = self.rules.start, 0
        np.add.at(self.visits, self.state, 1)
        return self.look(), reward, terminated, truncated, infos


# %% looks after the reset only says="final observations have been overwritten"
class TightVectorEnv(LeakyVectorEnv):
    def look(self):
        return self.rules.observations[self.state]

    def reset(self, options):
        mask = options["reset_mask"]
        self.state[mask], self.elapsed[mask] = self.rules.start, 0
        return self.look(), {}

    def step(self, action, slides):
        action = np.where(slides, FORWARD, action)
        entry = self.rules.table[self.state * 4 + action]
        self.state = entry >> 2
        self.elapsed = self.elapsed + 1
        np.add.at(self.visits, self.state, 1)
        reward, terminated = REWARDS[entry & 3], entry & 3 >= 2
        truncated = self.elapsed >= self.limit
        infos = {"elapsed": self.elapsed.copy()}
        done = terminated | truncated
        self.state[done], self.elapsed[done] = self.rules.start, 0
        infos["final_obs"] = self.look()
        return self.look(), reward, terminated, truncated, infos
