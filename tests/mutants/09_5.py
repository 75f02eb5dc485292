# %% returns the infos of a reset too says="the observations alone"
class Adapter(AdapterBase):
    def reset(self):
        self._reset_seeds()
        return self.envs.reset(seed=None)

    def step_async(self, actions):
        self.actions = actions

    def step_wait(self):
        observations, rewards, terminated, truncated, batch = self.envs.step(self.actions)
        dones, infos = terminated | truncated, []
        for i, done in enumerate(dones):
            source = batch["final_info"] if done else batch
            keys = [k for k in source if f"_{k}" in source and not k.startswith("final_")]
            info = {k: source[k][i] for k in keys if source[f"_{k}"][i]}
            info["TimeLimit.truncated"] = bool(truncated[i] and not terminated[i])
            if done:
                info["terminal_observation"] = batch["final_obs"][i]
            infos.append(info)
        return observations, rewards.astype(np.float32), dones, infos


# %% ignores the seeds says="go into the next reset"
class Adapter(AdapterBase):
    def reset(self):
        return self.envs.reset()[0]

    def step_async(self, actions):
        self.actions = actions

    def step_wait(self):
        observations, rewards, terminated, truncated, batch = self.envs.step(self.actions)
        dones, infos = terminated | truncated, []
        for i, done in enumerate(dones):
            source = batch["final_info"] if done else batch
            keys = [k for k in source if f"_{k}" in source and not k.startswith("final_")]
            info = {k: source[k][i] for k in keys if source[f"_{k}"][i]}
            info["TimeLimit.truncated"] = bool(truncated[i] and not terminated[i])
            if done:
                info["terminal_observation"] = batch["final_obs"][i]
            infos.append(info)
        return observations, rewards.astype(np.float32), dones, infos


# %% keeps the seeds for ever says="for one reset only"
class Adapter(AdapterBase):
    def reset(self):
        return self.envs.reset(seed=self._seeds)[0]

    def step_async(self, actions):
        self.actions = actions

    def step_wait(self):
        observations, rewards, terminated, truncated, batch = self.envs.step(self.actions)
        dones, infos = terminated | truncated, []
        for i, done in enumerate(dones):
            source = batch["final_info"] if done else batch
            keys = [k for k in source if f"_{k}" in source and not k.startswith("final_")]
            info = {k: source[k][i] for k in keys if source[f"_{k}"][i]}
            info["TimeLimit.truncated"] = bool(truncated[i] and not terminated[i])
            if done:
                info["terminal_observation"] = batch["final_obs"][i]
            infos.append(info)
        return observations, rewards.astype(np.float32), dones, infos


# %% seeds all robots alike says="go into the next reset"
class Adapter(AdapterBase):
    def reset(self):
        seed = self._seeds[0]
        self._reset_seeds()
        return self.envs.reset(seed=[seed] * self.num_envs)[0]

    def step_async(self, actions):
        self.actions = actions

    def step_wait(self):
        observations, rewards, terminated, truncated, batch = self.envs.step(self.actions)
        dones, infos = terminated | truncated, []
        for i, done in enumerate(dones):
            source = batch["final_info"] if done else batch
            keys = [k for k in source if f"_{k}" in source and not k.startswith("final_")]
            info = {k: source[k][i] for k in keys if source[f"_{k}"][i]}
            info["TimeLimit.truncated"] = bool(truncated[i] and not terminated[i])
            if done:
                info["terminal_observation"] = batch["final_obs"][i]
            infos.append(info)
        return observations, rewards.astype(np.float32), dones, infos


# %% clears the seeds first says="go into the next reset"
class Adapter(AdapterBase):
    def reset(self):
        self._reset_seeds()
        return self.envs.reset(seed=self._seeds)[0]

    def step_async(self, actions):
        self.actions = actions

    def step_wait(self):
        observations, rewards, terminated, truncated, batch = self.envs.step(self.actions)
        dones, infos = terminated | truncated, []
        for i, done in enumerate(dones):
            source = batch["final_info"] if done else batch
            keys = [k for k in source if f"_{k}" in source and not k.startswith("final_")]
            info = {k: source[k][i] for k in keys if source[f"_{k}"][i]}
            info["TimeLimit.truncated"] = bool(truncated[i] and not terminated[i])
            if done:
                info["terminal_observation"] = batch["final_obs"][i]
            infos.append(info)
        return observations, rewards.astype(np.float32), dones, infos


# %% leaves rewards in float64 says="dtype is wrong"
class Adapter(AdapterBase):
    def reset(self):
        observations, _ = self.envs.reset(seed=self._seeds)
        self._reset_seeds()
        return observations

    def step_async(self, actions):
        self.actions = actions

    def step_wait(self):
        observations, rewards, terminated, truncated, batch = self.envs.step(self.actions)
        dones, infos = terminated | truncated, []
        for i, done in enumerate(dones):
            source = batch["final_info"] if done else batch
            keys = [k for k in source if f"_{k}" in source and not k.startswith("final_")]
            info = {k: source[k][i] for k in keys if source[f"_{k}"][i]}
            info["TimeLimit.truncated"] = bool(truncated[i] and not terminated[i])
            if done:
                info["terminal_observation"] = batch["final_obs"][i]
            infos.append(info)
        return observations, rewards, dones, infos


# %% forgets truncation says="by either flag"
class Adapter(AdapterBase):
    def reset(self):
        observations, _ = self.envs.reset(seed=self._seeds)
        self._reset_seeds()
        return observations

    def step_async(self, actions):
        self.actions = actions

    def step_wait(self):
        observations, rewards, terminated, truncated, batch = self.envs.step(self.actions)
        dones, infos = terminated, []
        for i, done in enumerate(dones):
            source = batch["final_info"] if (done or truncated[i]) else batch
            keys = [k for k in source if f"_{k}" in source and not k.startswith("final_")]
            info = {k: source[k][i] for k in keys if source[f"_{k}"][i]}
            info["TimeLimit.truncated"] = bool(truncated[i] and not terminated[i])
            if done or truncated[i]:
                info["terminal_observation"] = batch["final_obs"][i]
            infos.append(info)
        return observations, rewards.astype(np.float32), dones, infos


# %% is done only if both says="by either flag"
class Adapter(AdapterBase):
    def reset(self):
        observations, _ = self.envs.reset(seed=self._seeds)
        self._reset_seeds()
        return observations

    def step_async(self, actions):
        self.actions = actions

    def step_wait(self):
        observations, rewards, terminated, truncated, batch = self.envs.step(self.actions)
        dones, infos = terminated & truncated, []
        for i, done in enumerate(dones):
            source = batch["final_info"] if done else batch
            keys = [k for k in source if f"_{k}" in source and not k.startswith("final_")]
            info = {k: source[k][i] for k in keys if source[f"_{k}"][i]}
            info["TimeLimit.truncated"] = bool(truncated[i] and not terminated[i])
            if done:
                info["terminal_observation"] = batch["final_obs"][i]
            infos.append(info)
        return observations, rewards.astype(np.float32), dones, infos


# %% returns five things says="SB3 takes four things"
class Adapter(AdapterBase):
    def reset(self):
        observations, _ = self.envs.reset(seed=self._seeds)
        self._reset_seeds()
        return observations

    def step_async(self, actions):
        self.actions = actions

    def step_wait(self):
        return self.envs.step(self.actions)


# %% leaves the infos batched says="infos are a list here"
class Adapter(AdapterBase):
    def reset(self):
        observations, _ = self.envs.reset(seed=self._seeds)
        self._reset_seeds()
        return observations

    def step_async(self, actions):
        self.actions = actions

    def step_wait(self):
        observations, rewards, terminated, truncated, batch = self.envs.step(self.actions)
        return observations, rewards.astype(np.float32), terminated | truncated, batch


# %% gives a terminated robot a future says="must add no future"
class Adapter(AdapterBase):
    def reset(self):
        observations, _ = self.envs.reset(seed=self._seeds)
        self._reset_seeds()
        return observations

    def step_async(self, actions):
        self.actions = actions

    def step_wait(self):
        observations, rewards, terminated, truncated, batch = self.envs.step(self.actions)
        dones, infos = terminated | truncated, []
        for i, done in enumerate(dones):
            source = batch["final_info"] if done else batch
            keys = [k for k in source if f"_{k}" in source and not k.startswith("final_")]
            info = {k: source[k][i] for k in keys if source[f"_{k}"][i]}
            info["TimeLimit.truncated"] = bool(truncated[i])
            if done:
                info["terminal_observation"] = batch["final_obs"][i]
            infos.append(info)
        return observations, rewards.astype(np.float32), dones, infos


# %% says termination for truncation says="must add no future"
class Adapter(AdapterBase):
    def reset(self):
        observations, _ = self.envs.reset(seed=self._seeds)
        self._reset_seeds()
        return observations

    def step_async(self, actions):
        self.actions = actions

    def step_wait(self):
        observations, rewards, terminated, truncated, batch = self.envs.step(self.actions)
        dones, infos = terminated | truncated, []
        for i, done in enumerate(dones):
            source = batch["final_info"] if done else batch
            keys = [k for k in source if f"_{k}" in source and not k.startswith("final_")]
            info = {k: source[k][i] for k in keys if source[f"_{k}"][i]}
            info["TimeLimit.truncated"] = bool(terminated[i])
            if done:
                info["terminal_observation"] = batch["final_obs"][i]
            infos.append(info)
        return observations, rewards.astype(np.float32), dones, infos


# %% says the end for a cut says="must add no future"
class Adapter(AdapterBase):
    def reset(self):
        observations, _ = self.envs.reset(seed=self._seeds)
        self._reset_seeds()
        return observations

    def step_async(self, actions):
        self.actions = actions

    def step_wait(self):
        observations, rewards, terminated, truncated, batch = self.envs.step(self.actions)
        dones, infos = terminated | truncated, []
        for i, done in enumerate(dones):
            source = batch["final_info"] if done else batch
            keys = [k for k in source if f"_{k}" in source and not k.startswith("final_")]
            info = {k: source[k][i] for k in keys if source[f"_{k}"][i]}
            info["TimeLimit.truncated"] = bool(done)
            if done:
                info["terminal_observation"] = batch["final_obs"][i]
            infos.append(info)
        return observations, rewards.astype(np.float32), dones, infos


# %% names the cut only where there is one says="stands in every dict"
class Adapter(AdapterBase):
    def reset(self):
        observations, _ = self.envs.reset(seed=self._seeds)
        self._reset_seeds()
        return observations

    def step_async(self, actions):
        self.actions = actions

    def step_wait(self):
        observations, rewards, terminated, truncated, batch = self.envs.step(self.actions)
        dones, infos = terminated | truncated, []
        for i, done in enumerate(dones):
            source = batch["final_info"] if done else batch
            keys = [k for k in source if f"_{k}" in source and not k.startswith("final_")]
            info = {k: source[k][i] for k in keys if source[f"_{k}"][i]}
            if truncated[i]:
                info["TimeLimit.truncated"] = not bool(terminated[i])
            if done:
                info["terminal_observation"] = batch["final_obs"][i]
            infos.append(info)
        return observations, rewards.astype(np.float32), dones, infos


# %% forgets the final observation says="`terminal_observation` is missing"
class Adapter(AdapterBase):
    def reset(self):
        observations, _ = self.envs.reset(seed=self._seeds)
        self._reset_seeds()
        return observations

    def step_async(self, actions):
        self.actions = actions

    def step_wait(self):
        observations, rewards, terminated, truncated, batch = self.envs.step(self.actions)
        dones, infos = terminated | truncated, []
        for i, done in enumerate(dones):
            source = batch["final_info"] if done else batch
            keys = [k for k in source if f"_{k}" in source and not k.startswith("final_")]
            info = {k: source[k][i] for k in keys if source[f"_{k}"][i]}
            info["TimeLimit.truncated"] = bool(truncated[i] and not terminated[i])
            infos.append(info)
        return observations, rewards.astype(np.float32), dones, infos


# %% takes the next episode's observation says="not the first one"
class Adapter(AdapterBase):
    def reset(self):
        observations, _ = self.envs.reset(seed=self._seeds)
        self._reset_seeds()
        return observations

    def step_async(self, actions):
        self.actions = actions

    def step_wait(self):
        observations, rewards, terminated, truncated, batch = self.envs.step(self.actions)
        dones, infos = terminated | truncated, []
        for i, done in enumerate(dones):
            source = batch["final_info"] if done else batch
            keys = [k for k in source if f"_{k}" in source and not k.startswith("final_")]
            info = {k: source[k][i] for k in keys if source[f"_{k}"][i]}
            info["TimeLimit.truncated"] = bool(truncated[i] and not terminated[i])
            if done:
                info["terminal_observation"] = observations[i]
            infos.append(info)
        return observations, rewards.astype(np.float32), dones, infos


# %% gives everybody a terminal observation says="goes on has no terminal observation"
class Adapter(AdapterBase):
    def reset(self):
        observations, _ = self.envs.reset(seed=self._seeds)
        self._reset_seeds()
        return observations

    def step_async(self, actions):
        self.actions = actions

    def step_wait(self):
        observations, rewards, terminated, truncated, batch = self.envs.step(self.actions)
        dones, infos = terminated | truncated, []
        for i, done in enumerate(dones):
            source = batch["final_info"] if done else batch
            keys = [k for k in source if f"_{k}" in source and not k.startswith("final_")]
            info = {k: source[k][i] for k in keys if source[f"_{k}"][i]}
            info["TimeLimit.truncated"] = bool(truncated[i] and not terminated[i])
            if "final_obs" in batch:
                info["terminal_observation"] = batch["final_obs"][i]
            infos.append(info)
        return observations, rewards.astype(np.float32), dones, infos


# %% hands out all final observations says="that of this robot"
class Adapter(AdapterBase):
    def reset(self):
        observations, _ = self.envs.reset(seed=self._seeds)
        self._reset_seeds()
        return observations

    def step_async(self, actions):
        self.actions = actions

    def step_wait(self):
        observations, rewards, terminated, truncated, batch = self.envs.step(self.actions)
        dones, infos = terminated | truncated, []
        for i, done in enumerate(dones):
            source = batch["final_info"] if done else batch
            keys = [k for k in source if f"_{k}" in source and not k.startswith("final_")]
            info = {k: source[k][i] for k in keys if source[f"_{k}"][i]}
            info["TimeLimit.truncated"] = bool(truncated[i] and not terminated[i])
            if done:
                info["terminal_observation"] = batch["final_obs"]
            infos.append(info)
        return observations, rewards.astype(np.float32), dones, infos


# %% uses the old names says="final_obs|`terminal_observation`"
class Adapter(AdapterBase):
    def reset(self):
        observations, _ = self.envs.reset(seed=self._seeds)
        self._reset_seeds()
        return observations

    def step_async(self, actions):
        self.actions = actions

    def step_wait(self):
        observations, rewards, terminated, truncated, batch = self.envs.step(self.actions)
        dones, infos = terminated | truncated, []
        for i, done in enumerate(dones):
            source = batch["final_info"] if done else batch
            keys = [k for k in source if f"_{k}" in source and not k.startswith("final_")]
            info = {k: source[k][i] for k in keys if source[f"_{k}"][i]}
            info["TimeLimit.truncated"] = bool(truncated[i] and not terminated[i])
            if done:
                info["final_observation"] = batch["final_obs"][i]
            infos.append(info)
        return observations, rewards.astype(np.float32), dones, infos


# %% ignores the masks says="exactly where its mask is True"
class Adapter(AdapterBase):
    def reset(self):
        observations, _ = self.envs.reset(seed=self._seeds)
        self._reset_seeds()
        return observations

    def step_async(self, actions):
        self.actions = actions

    def step_wait(self):
        observations, rewards, terminated, truncated, batch = self.envs.step(self.actions)
        dones, infos = terminated | truncated, []
        for i, done in enumerate(dones):
            source = batch["final_info"] if done else batch
            keys = [k for k in source if f"_{k}" in source and not k.startswith("final_")]
            info = {k: source[k][i] for k in keys}
            info["TimeLimit.truncated"] = bool(truncated[i] and not terminated[i])
            if done:
                info["terminal_observation"] = batch["final_obs"][i]
            infos.append(info)
        return observations, rewards.astype(np.float32), dones, infos


# %% drops what is zero says="exactly where its mask is True"
class Adapter(AdapterBase):
    def reset(self):
        observations, _ = self.envs.reset(seed=self._seeds)
        self._reset_seeds()
        return observations

    def step_async(self, actions):
        self.actions = actions

    def step_wait(self):
        observations, rewards, terminated, truncated, batch = self.envs.step(self.actions)
        dones, infos = terminated | truncated, []
        for i, done in enumerate(dones):
            source = batch["final_info"] if done else batch
            keys = [k for k in source if f"_{k}" in source and not k.startswith("final_")]
            info = {k: source[k][i] for k in keys if source[k][i]}
            info["TimeLimit.truncated"] = bool(truncated[i] and not terminated[i])
            if done:
                info["terminal_observation"] = batch["final_obs"][i]
            infos.append(info)
        return observations, rewards.astype(np.float32), dones, infos


# %% copies the masks says="bookkeeping"
class Adapter(AdapterBase):
    def reset(self):
        observations, _ = self.envs.reset(seed=self._seeds)
        self._reset_seeds()
        return observations

    def step_async(self, actions):
        self.actions = actions

    def step_wait(self):
        observations, rewards, terminated, truncated, batch = self.envs.step(self.actions)
        dones, infos = terminated | truncated, []
        for i, done in enumerate(dones):
            source = batch["final_info"] if done else batch
            info = {k: source[k][i] for k in source if "final_" not in k}
            info["TimeLimit.truncated"] = bool(truncated[i] and not terminated[i])
            if done:
                info["terminal_observation"] = batch["final_obs"][i]
            infos.append(info)
        return observations, rewards.astype(np.float32), dones, infos


# %% gives each the arrays of all says="not the array of all"
class Adapter(AdapterBase):
    def reset(self):
        observations, _ = self.envs.reset(seed=self._seeds)
        self._reset_seeds()
        return observations

    def step_async(self, actions):
        self.actions = actions

    def step_wait(self):
        observations, rewards, terminated, truncated, batch = self.envs.step(self.actions)
        dones, infos = terminated | truncated, []
        for i, done in enumerate(dones):
            source = batch["final_info"] if done else batch
            keys = [k for k in source if f"_{k}" in source and not k.startswith("final_")]
            info = {k: source[k] for k in keys if source[f"_{k}"][i]}
            info["TimeLimit.truncated"] = bool(truncated[i] and not terminated[i])
            if done:
                info["terminal_observation"] = batch["final_obs"][i]
            infos.append(info)
        return observations, rewards.astype(np.float32), dones, infos


# %% gives all the first robot's says="is that of another robot"
class Adapter(AdapterBase):
    def reset(self):
        observations, _ = self.envs.reset(seed=self._seeds)
        self._reset_seeds()
        return observations

    def step_async(self, actions):
        self.actions = actions

    def step_wait(self):
        observations, rewards, terminated, truncated, batch = self.envs.step(self.actions)
        dones, infos = terminated | truncated, []
        for i, done in enumerate(dones):
            source = batch["final_info"] if done else batch
            keys = [k for k in source if f"_{k}" in source and not k.startswith("final_")]
            info = {k: source[k][0] for k in keys if source[f"_{k}"][i]}
            info["TimeLimit.truncated"] = bool(truncated[i] and not terminated[i])
            if done:
                info["terminal_observation"] = batch["final_obs"][i]
            infos.append(info)
        return observations, rewards.astype(np.float32), dones, infos


# %% ignores the final info says="stands in `final_info`"
class Adapter(AdapterBase):
    def reset(self):
        observations, _ = self.envs.reset(seed=self._seeds)
        self._reset_seeds()
        return observations

    def step_async(self, actions):
        self.actions = actions

    def step_wait(self):
        observations, rewards, terminated, truncated, batch = self.envs.step(self.actions)
        dones, infos = terminated | truncated, []
        for i, done in enumerate(dones):
            source = batch
            keys = [k for k in source if f"_{k}" in source and not k.startswith("final_")]
            info = {k: source[k][i] for k in keys if source[f"_{k}"][i]}
            info["TimeLimit.truncated"] = bool(truncated[i] and not terminated[i])
            if done:
                info["terminal_observation"] = batch["final_obs"][i]
            infos.append(info)
        return observations, rewards.astype(np.float32), dones, infos


# %% takes the final info for everybody says="exactly where its mask is True|its own info"
class Adapter(AdapterBase):
    def reset(self):
        observations, _ = self.envs.reset(seed=self._seeds)
        self._reset_seeds()
        return observations

    def step_async(self, actions):
        self.actions = actions

    def step_wait(self):
        observations, rewards, terminated, truncated, batch = self.envs.step(self.actions)
        dones, infos = terminated | truncated, []
        for i, done in enumerate(dones):
            source = batch["final_info"] if dones.any() else batch
            keys = [k for k in source if f"_{k}" in source and not k.startswith("final_")]
            info = {k: source[k][i] for k in keys}
            info["TimeLimit.truncated"] = bool(truncated[i] and not terminated[i])
            if done:
                info["terminal_observation"] = batch["final_obs"][i]
            infos.append(info)
        return observations, rewards.astype(np.float32), dones, infos


# %% keeps gymnasium's own keys says="Gymnasium's names"
class Adapter(AdapterBase):
    def reset(self):
        observations, _ = self.envs.reset(seed=self._seeds)
        self._reset_seeds()
        return observations

    def step_async(self, actions):
        self.actions = actions

    def step_wait(self):
        observations, rewards, terminated, truncated, batch = self.envs.step(self.actions)
        dones, infos = terminated | truncated, []
        for i, done in enumerate(dones):
            source = batch["final_info"] if done else batch
            keys = [k for k in source if f"_{k}" in source and not k.startswith("final_")]
            info = {k: source[k][i] for k in keys if source[f"_{k}"][i]}
            info["TimeLimit.truncated"] = bool(truncated[i] and not terminated[i])
            if done:
                info["terminal_observation"] = batch["final_obs"][i]
            if "final_obs" in batch:
                info["final_obs"] = batch["final_obs"][i]
            infos.append(info)
        return observations, rewards.astype(np.float32), dones, infos


# %% shares one dict says="three times"
class Adapter(AdapterBase):
    def reset(self):
        observations, _ = self.envs.reset(seed=self._seeds)
        self._reset_seeds()
        return observations

    def step_async(self, actions):
        self.actions = actions

    def step_wait(self):
        observations, rewards, terminated, truncated, batch = self.envs.step(self.actions)
        dones, infos = terminated | truncated, [{}] * self.num_envs
        for i, done in enumerate(dones):
            source = batch["final_info"] if done else batch
            keys = [k for k in source if f"_{k}" in source and not k.startswith("final_")]
            infos[i].update({k: source[k][i] for k in keys if source[f"_{k}"][i]})
            infos[i]["TimeLimit.truncated"] = bool(truncated[i] and not terminated[i])
            if done:
                infos[i]["terminal_observation"] = batch["final_obs"][i]
        return observations, rewards.astype(np.float32), dones, infos


# %% uses its dicts again says="share one dict|must add no future|goes on has no"
class Adapter(AdapterBase):
    def reset(self):
        self.kept = [{} for _ in range(self.num_envs)]
        observations, _ = self.envs.reset(seed=self._seeds)
        self._reset_seeds()
        return observations

    def step_async(self, actions):
        self.actions = actions

    def step_wait(self):
        observations, rewards, terminated, truncated, batch = self.envs.step(self.actions)
        dones, infos = terminated | truncated, []
        for i, done in enumerate(dones):
            source = batch["final_info"] if done else batch
            keys = [k for k in source if f"_{k}" in source and not k.startswith("final_")]
            info = {k: source[k][i] for k in keys if source[f"_{k}"][i]}
            info["TimeLimit.truncated"] = bool(truncated[i] and not terminated[i])
            if done:
                info["terminal_observation"] = batch["final_obs"][i]
            self.kept[i].clear()
            self.kept[i].update(info)
        return observations, rewards.astype(np.float32), dones, self.kept
