# %% takes the mask out of the caller's dictionary says="emptied the caller's dictionary"
class ResettableFleet(Fleet):
    def reset(self, *, seed=None, options=None):
        mask = np.ones(self.num_envs, dtype=bool)
        if options and "reset_mask" in options:
            mask = options.pop("reset_mask")
        for i in np.flatnonzero(mask):
            if seed is not None:
                self.generators[i] = np.random.default_rng(seed + i)
            self.state[i] = self.starts[self.generators[i].integers(len(self.starts))]
            self.elapsed[i] = 0
        return self.state.copy(), {}


# %% writes a mask into the caller's dictionary says="wrote into the caller's dictionary"
class ResettableFleet(Fleet):
    def reset(self, *, seed=None, options=None):
        options = {} if options is None else options
        mask = options.setdefault("reset_mask", np.ones(self.num_envs, dtype=bool))
        for i in np.flatnonzero(mask):
            if seed is not None:
                self.generators[i] = np.random.default_rng(seed + i)
            self.state[i] = self.starts[self.generators[i].integers(len(self.starts))]
            self.elapsed[i] = 0
        return self.state.copy(), {}


# %% clears the mask as it goes says="your reset changed the mask"
class ResettableFleet(Fleet):
    def reset(self, *, seed=None, options=None):
        mask = (options or {}).get("reset_mask", np.ones(self.num_envs, dtype=bool))
        for i in range(self.num_envs):
            if mask[i]:
                if seed is not None:
                    self.generators[i] = np.random.default_rng(seed + i)
                self.state[i] = self.starts[self.generators[i].integers(len(self.starts))]
                self.elapsed[i] = 0
                mask[i] = False
        return self.state.copy(), {}


# %% takes no notice of the mask says="touch only those in the mask"
class ResettableFleet(Fleet):
    def reset(self, *, seed=None, options=None):
        for i in range(self.num_envs):
            if seed is not None:
                self.generators[i] = np.random.default_rng(seed + i)
            self.state[i] = self.starts[self.generators[i].integers(len(self.starts))]
            self.elapsed[i] = 0
        return self.state.copy(), {}


# %% resets the robots that run on says="touch only those in the mask"
class ResettableFleet(Fleet):
    def reset(self, *, seed=None, options=None):
        mask = (options or {}).get("reset_mask", np.zeros(self.num_envs, dtype=bool))
        for i in np.flatnonzero(~mask):
            if seed is not None:
                self.generators[i] = np.random.default_rng(seed + i)
            self.state[i] = self.starts[self.generators[i].integers(len(self.starts))]
            self.elapsed[i] = 0
        return self.state.copy(), {}


# %% takes the mask for robot numbers says="touch only those in the mask|takes the .next. draw"
class ResettableFleet(Fleet):
    def reset(self, *, seed=None, options=None):
        mask = (options or {}).get("reset_mask", range(self.num_envs))
        for i in mask:
            i = int(i)
            if seed is not None:
                self.generators[i] = np.random.default_rng(seed + i)
            self.state[i] = self.starts[self.generators[i].integers(len(self.starts))]
            self.elapsed[i] = 0
        return self.state.copy(), {}


# %% draws for everybody and keeps some says="a draw that is thrown away is a draw"
class ResettableFleet(Fleet):
    def reset(self, *, seed=None, options=None):
        mask = (options or {}).get("reset_mask", np.ones(self.num_envs, dtype=bool))
        if seed is not None:
            for i in np.flatnonzero(mask):
                self.generators[i] = np.random.default_rng(seed + i)
        drawn = [self.starts[g.integers(len(self.starts))] for g in self.generators]
        self.state = np.where(mask, drawn, self.state)
        self.elapsed[mask] = 0
        return self.state.copy(), {}


# %% seeds the robots that run on says="used or seeded anew"
class ResettableFleet(Fleet):
    def reset(self, *, seed=None, options=None):
        mask = (options or {}).get("reset_mask", np.ones(self.num_envs, dtype=bool))
        if seed is not None:
            self.generators = [np.random.default_rng(seed + i) for i in range(self.num_envs)]
        for i in np.flatnonzero(mask):
            self.state[i] = self.starts[self.generators[i].integers(len(self.starts))]
            self.elapsed[i] = 0
        return self.state.copy(), {}


# %% deals seeds out by place in the mask says="its number in the fleet"
class ResettableFleet(Fleet):
    def reset(self, *, seed=None, options=None):
        mask = (options or {}).get("reset_mask", np.ones(self.num_envs, dtype=bool))
        for k, i in enumerate(np.flatnonzero(mask)):
            if seed is not None:
                self.generators[i] = np.random.default_rng(seed + k)
            self.state[i] = self.starts[self.generators[i].integers(len(self.starts))]
            self.elapsed[i] = 0
        return self.state.copy(), {}


# %% gives every robot the same seed says="a generator of its own"
class ResettableFleet(Fleet):
    def reset(self, *, seed=None, options=None):
        mask = (options or {}).get("reset_mask", np.ones(self.num_envs, dtype=bool))
        for i in np.flatnonzero(mask):
            if seed is not None:
                self.generators[i] = np.random.default_rng(seed)
            self.state[i] = self.starts[self.generators[i].integers(len(self.starts))]
            self.elapsed[i] = 0
        return self.state.copy(), {}


# %% draws all starts from one generator says="a generator of its own"
class ResettableFleet(Fleet):
    def reset(self, *, seed=None, options=None):
        mask = (options or {}).get("reset_mask", np.ones(self.num_envs, dtype=bool))
        if seed is not None:
            self.generators[0] = np.random.default_rng(seed)
        for i in np.flatnonzero(mask):
            self.state[i] = self.starts[self.generators[0].integers(len(self.starts))]
            self.elapsed[i] = 0
        return self.state.copy(), {}


# %% keeps one start for all resets says="not a start kept from earlier"
class ResettableFleet(Fleet):
    def reset(self, *, seed=None, options=None):
        mask = (options or {}).get("reset_mask", np.ones(self.num_envs, dtype=bool))
        if seed is not None:
            for i in np.flatnonzero(mask):
                self.generators[i] = np.random.default_rng(seed + i)
        if seed is not None or not hasattr(self, "first"):
            self.first = [self.starts[g.integers(len(self.starts))] for g in self.generators]
        self.state[mask] = np.array(self.first)[mask]
        self.elapsed[mask] = 0
        return self.state.copy(), {}


# %% draws one start for all robots of the mask says="a generator of its own"
class ResettableFleet(Fleet):
    def reset(self, *, seed=None, options=None):
        mask = (options or {}).get("reset_mask", np.ones(self.num_envs, dtype=bool))
        for i in np.flatnonzero(mask):
            if seed is not None:
                self.generators[i] = np.random.default_rng(seed + i)
        first = int(np.flatnonzero(mask)[0])
        self.state[mask] = self.starts[self.generators[first].integers(len(self.starts))]
        self.elapsed[mask] = 0
        return self.state.copy(), {}


# %% makes a new generator at every reset says="without a seed no new generator"
class ResettableFleet(Fleet):
    def reset(self, *, seed=None, options=None):
        mask = (options or {}).get("reset_mask", np.ones(self.num_envs, dtype=bool))
        for i in np.flatnonzero(mask):
            self.generators[i] = np.random.default_rng(None if seed is None else seed + i)
            self.state[i] = self.starts[self.generators[i].integers(len(self.starts))]
            self.elapsed[i] = 0
        return self.state.copy(), {}


# %% takes seed 0 for no seed says="0 is a seed too"
class ResettableFleet(Fleet):
    def reset(self, *, seed=None, options=None):
        mask = (options or {}).get("reset_mask", np.ones(self.num_envs, dtype=bool))
        for i in np.flatnonzero(mask):
            if seed:
                self.generators[i] = np.random.default_rng(seed + i)
            self.state[i] = self.starts[self.generators[i].integers(len(self.starts))]
            self.elapsed[i] = 0
        return self.state.copy(), {}


# %% goes on counting steps says="a new episode has taken 0 steps"
class ResettableFleet(Fleet):
    def reset(self, *, seed=None, options=None):
        mask = (options or {}).get("reset_mask", np.ones(self.num_envs, dtype=bool))
        for i in np.flatnonzero(mask):
            if seed is not None:
                self.generators[i] = np.random.default_rng(seed + i)
            self.state[i] = self.starts[self.generators[i].integers(len(self.starts))]
        return self.state.copy(), {}


# %% sets everybody's steps to 0 says="changed its count of steps"
class ResettableFleet(Fleet):
    def reset(self, *, seed=None, options=None):
        mask = (options or {}).get("reset_mask", np.ones(self.num_envs, dtype=bool))
        for i in np.flatnonzero(mask):
            if seed is not None:
                self.generators[i] = np.random.default_rng(seed + i)
            self.state[i] = self.starts[self.generators[i].integers(len(self.starts))]
        self.elapsed[:] = 0
        return self.state.copy(), {}


# %% returns the robots of the mask only says="the states of .all. robots"
class ResettableFleet(Fleet):
    def reset(self, *, seed=None, options=None):
        mask = (options or {}).get("reset_mask", np.ones(self.num_envs, dtype=bool))
        for i in np.flatnonzero(mask):
            if seed is not None:
                self.generators[i] = np.random.default_rng(seed + i)
            self.state[i] = self.starts[self.generators[i].integers(len(self.starts))]
            self.elapsed[i] = 0
        return self.state[mask], {}


# %% returns the array that it keeps says="return a copy|what reset returns"
class ResettableFleet(Fleet):
    def reset(self, *, seed=None, options=None):
        mask = (options or {}).get("reset_mask", np.ones(self.num_envs, dtype=bool))
        for i in np.flatnonzero(mask):
            if seed is not None:
                self.generators[i] = np.random.default_rng(seed + i)
            self.state[i] = self.starts[self.generators[i].integers(len(self.starts))]
            self.elapsed[i] = 0
        return self.state, {}


# %% returns the states alone says="reset returns two things"
class ResettableFleet(Fleet):
    def reset(self, *, seed=None, options=None):
        mask = (options or {}).get("reset_mask", np.ones(self.num_envs, dtype=bool))
        for i in np.flatnonzero(mask):
            if seed is not None:
                self.generators[i] = np.random.default_rng(seed + i)
            self.state[i] = self.starts[self.generators[i].integers(len(self.starts))]
            self.elapsed[i] = 0
        return self.state.copy()


# %% takes the number of the draw for a state says="starts.generator"
class ResettableFleet(Fleet):
    def reset(self, *, seed=None, options=None):
        mask = (options or {}).get("reset_mask", np.ones(self.num_envs, dtype=bool))
        for i in np.flatnonzero(mask):
            if seed is not None:
                self.generators[i] = np.random.default_rng(seed + i)
            self.state[i] = self.generators[i].integers(len(self.starts))
            self.elapsed[i] = 0
        return self.state.copy(), {}


# %% draws cell and heading, two draws says="in one draw"
class ResettableFleet(Fleet):
    def reset(self, *, seed=None, options=None):
        mask = (options or {}).get("reset_mask", np.ones(self.num_envs, dtype=bool))
        for i in np.flatnonzero(mask):
            if seed is not None:
                self.generators[i] = np.random.default_rng(seed + i)
            cell = self.generators[i].integers(len(self.starts) // 4)
            self.state[i] = self.starts[cell * 4 + self.generators[i].integers(4)]
            self.elapsed[i] = 0
        return self.state.copy(), {}
