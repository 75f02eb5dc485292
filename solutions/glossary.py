# %% [markdown] tags=["page"]
# # Glossary
#
# Every word that a lesson explains, in one line, with the lesson that explains it. The signs come
# first; words follow from A to Z.
#
# Back to the [start](00_start_here.ipynb)

# %% [markdown]
# ## Signs
#
# | sign | read | meaning |
# |---|---|---|
# | `T` | horizon | steps that each robot takes in one rollout |
# | `N` | | robots that take a step together |
# | `m` | | robots in one seed family |
# | `gamma` | discount | how much a reward one step later is worth, from 0 to 1 |
# | `lambda`, in code `lam` | | how far an advantage looks ahead before it trusts the value |
# | `rho` | average reward | reward per step [11]; a shared part in [08], [13]; a weight in [12] |
# | `delta` | TD error | how far a value is from what one more step makes of it |
# | `terminated` | | the world has ended the episode |
# | `truncated` | | we have stopped watching |
# | `done` | | `terminated` or `truncated` |
# | `[T, N]` | | an array with a row for each step and a column for each robot |
#
# Steps per second are steps of all robots together.

# %% [markdown]
# ## A to E
#
# - **action**: what the agent may do: 0 forward, 1 turn left, 2 turn right, 3 stop. [01]
# - **action value**: what you get by taking this action now and the best ones ever after. [02]
# - **adapter**: an object that speaks one library's language on the outside and another's on the
#   inside. [09]
# - **advantage**: how much better a step turned out than the value had promised. [08]
# - **agent**: what looks, decides and acts. [01]
# - **aliasing**: two names for one piece of memory, so that a change through one shows in the
#   other. [05]
# - **ARPPO**: average-reward PPO: PPO without a discount, its advantages measured against rho. [11]
# - **auto-reset**: an environment that begins the next episode by itself when one is over. [04]
# - **average reward**: reward per step in the long run; its sign is rho. [11]
# - **batch**: several observations in one array, asked about in one call. [03]
# - **Bellman equation**: the value of a state is the best of reward plus discounted value of what
#   comes next. [02]
# - **bias**: the differential value of a state: how much better than the average it is to start
#   there [11]. Of an estimate: how far it is off on average, however often it is made [12].
# - **bootstrap**: an estimate that stands in for all that would have come later. [04]
# - **break-even**: the step cost at which two ways take equally long. [05]
# - **buffer**: the arrays that stand between collecting and learning. [08]
# - **callback**: a function of yours that a library calls as it goes. [09]
# - **clip fraction**: the share of rows whose ratio lies outside of what the clipped loss
#   allows. [10]
# - **cloudpickle**: a library that pickles code too. [05]
# - **cluster**: several machines that work as one. [05]
# - **core**: the part of a chip that computes; a process uses one at a time. [05]
# - **crew**: the workers that collect for one learner. [12]
# - **design effect**: how many times fewer lessons than samples there are, because families share.
#   [13]
# - **device**: the chip that a tensor lives on, such as the GPU. [14]
# - **differential return**: what a step and all later steps bring above the average. [11]
# - **differential value**: what a state has ahead of it above the average. [11]
# - **discount**: see `gamma`. [02]
# - **entropy**: how undecided a policy is: 0 if it is certain. [10]
# - **environment**: all that answers an agent: the floor, the counters, the rules, the
#   rewards. [01]
# - **episode**: from a start to an end. [01]
# - **epoch**: one pass over all transitions of a rollout while learning from it. [09]
# - **epsilon-greedy**: with probability epsilon a random action, else the best one. [03]
# - **evaluation**: to measure a policy without training it, in episodes of its own. [09]

# %% [markdown]
# ## F to O
#
# - **factory**: a function that builds an environment. [03]
# - **flatten**: to turn an observation into one row of numbers. [03]
# - **fragment**: a worker's rollout, on its way to the learner. [12]
# - **gain**: the best average reward that any policy has. [11]
# - **gather**: to pick many entries of a table at once, by an array of places. [06]
# - **generalized advantage estimation**: advantages from discounted sums of TD errors; GAE for
#   short. [08]
# - **gradient step**: a small change of all weights, in the direction that the loss asks for. [09]
# - **graph**: PyTorch's record of how a number came about [10]; a CUDA graph is a recorded list of
#   orders for a GPU [14].
# - **greedy**: always taking the action that looks best. [02]
# - **Gymnasium**: the library whose `reset` and `step` all environments here share. [01]
# - **host**: the processor that runs Python and tells the device what to do. [14]
# - **importance ratio**: how much likelier an action is for the new policy than for the one that
#   took it. [12]
# - **intraclass correlation**: how alike the members of one family are: 0 if no more than
#   strangers, 1 if copies; an estimate may fall below 0. [13]
# - **KL divergence**: how far one policy is from another. [10]
# - **lag**: how many updates old the weights were that a rollout was made with. [12]
# - **late binding**: a lambda remembers the name of a variable, not the value that it had. [03]
# - **learner**: the process that improves the policy, beside the workers. [12]
# - **ledger**: a file with one line for each training run: settings, seeds, results. [13]
# - **log-probability**: the logarithm of the probability that a policy gave to an action. [08]
# - **logits**: the scores of the actions, before they become probabilities. [10]
# - **mask**: an array of truths that says which rows count. [03]
# - **median**: the middle one of several measurements. [05]
# - **message**: what goes through a pipe from one process to another, and back. [05]
# - **minibatch**: the transitions of one gradient step. [09]
# - **model**: in SB3, a policy with all that is needed to train it. [09]
# - **moments**: mean and variance. [07]
# - **n-step return**: the discounted rewards of some steps, and the value of what comes then. [12]
# - **nats**: the unit of entropy with the natural logarithm. [10]
# - **network**: a formula with many numbers to adjust, its weights. [02]
# - **node**: one machine of a cluster. [12]
# - **objective**: what is to be made as large as can be, such as reward per step. [11]
# - **observation**: what the agent is shown. [01]
# - **off-policy**: learning from what another policy did. [12]
# - **one-hot**: a label with n values as n numbers, a single 1 among zeros. [03]
# - **oracle**: the package's exact answers, worked out from the rules. [02]
# - **overhead**: what a call costs whatever you ask of it. [03]

# %% [markdown]
# ## P to Z
#
# - **panel**: kitchens and seeds kept apart, on which a finished policy is measured. [13]
# - **pickling**: to turn an object into bytes, so that another process can have it. [05]
# - **pipe**: what carries messages between two processes. [05]
# - **plain return**: the sum of an episode's rewards, without discount. [02]
# - **policy**: a function from observations to actions. [02]
# - **policy gradient**: the direction in which a policy's numbers should move so that good steps
#   become likelier. [08]
# - **policy network**: a network that says which actions are likely. [03]
# - **pose**: where the robot stands and looks: row, column, heading. [01]
# - **potential**: a number for each state, like a height; shaping pays for the climb. [02]
# - **PPO**: proximal policy optimization: uses each rollout several times, and stays near the
#   policy that collected it. [10]
# - **prioritized**: a replay that draws those transitions more often whose TD error was large. [12]
# - **process**: a running program with a memory of its own. [05]
# - **Q-learning**: learning action values from any policy's transitions. [12]
# - **Ray**: a library that starts processes on one machine or on many and carries objects between
#   them. [12]
# - **relative value iteration**: value iteration without a discount, that watches the differences.
#   [11]
# - **replay**: a large store of transitions, drawn from again and again. [12]
# - **reset row**: the row of a `NEXT_STEP` rollout in which a robot is put back and no action
#   counts. [04]
# - **return**: the sum of an episode's rewards [01]; of a step, what follows it, discounted [08].
# - **reward**: one number for one step. [01]
# - **rho**: see average reward. [11]
# - **rollout**: a record of what N robots did for T steps. [04]
# - **saturated**: a unit whose input is so large that its output hardly moves any more. [07]
# - **seed**: a number from which all random draws follow. [01]
# - **seed family**: robots that share the seed of their kitchen. [08]
# - **shaping**: a hint added to each step's reward that leaves the best policy as it is. [02]
# - **shared memory**: a piece of memory that several processes can see. [05]
# - **space**: what a value may be: its shape, type and range. [01]
# - **Stable-Baselines3**: a library of tested algorithms; SB3 for short. [09]
# - **stale**: made with weights that have been improved since. [12]
# - **standard deviation**: the square root of the variance. [07]
# - **state**: all that matters about the present moment. [02]
# - **stationary distribution**: the share of its steps that a policy spends in each state, in the
#   long run. [11]
# - **strata**: kinds of kitchens, such as open or cluttered, each measured by itself. [13]
# - **sweep**: one pass over all states. [02]
# - **tape**: a list of actions, made before anybody drives. [04]
# - **TD error**: reward plus discounted value of what comes next, minus the value of now. [04]
# - **TensorBoard**: a program that draws what a training writes down. [09]
# - **throughput**: steps per second of all robots together. [03]
# - **transition**: an observation, the action taken in it, the reward, and the next
#   observation. [04]
# - **unit**: one number of a layer: a weighted sum, squeezed. [07]
# - **V-trace**: advantages and targets from data of an older policy, by two weights for each
#   step. [12]
# - **value**: the best return that can be had from a state [02], or what a policy gets from
#   it [08].
# - **value iteration**: sweeps until nothing changes. [02]
# - **variance**: the mean squared distance from the mean. [07]
# - **vector environment**: N environments behind one `reset` and one `step`. [03]
# - **worker**: a process that does a share of the work. [05]
# - **wrapper**: an environment around an environment. [01]
