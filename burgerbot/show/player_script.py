"""What the player does in the browser: plain JavaScript, no library, nothing fetched."""

from __future__ import annotations

# The drawing is taken out of the <img> and put into the page, and only then do the controls
# appear: a page that runs no scripts keeps the picture and shows no dead buttons.
_HEAD = r"""
(root, d) => {
  const img = root && root.querySelector('img');
  if (!img) return;
  const stage = document.createElement('div');
  stage.innerHTML = atob(img.src.split(',')[1]) + `
    <div style="display:flex;flex-wrap:wrap;gap:6px;align-items:center">
    <button type="button" class="bb-play">Play</button>
    <button type="button" class="bb-back" aria-label="One step back">Back</button>
    <button type="button" class="bb-next" aria-label="One step on">Next</button>
    <select class="bb-speed" aria-label="Speed"><option value="900">slow
    <option value="400" selected>normal<option value="120">fast</select>
    <input type="range" class="bb-slider" min="0" value="0" aria-label="Step" style="flex:1 0 100%">
    </div>`;
  img.replaceWith(stage);
  const get = name => root.querySelector('.bb-' + name);
  const robot = get('robot'), slider = get('slider'), speed = get('speed'), button = get('play');
  const last = d.states.length - 1;
  const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
"""

_EPISODE = r"""
  const at = d.states.map(s => [s >> 2, s & 3]).map(([c, h]) =>
    ({row: Math.floor(c / d.cols), col: c % d.cols, h, x: c % d.cols * 100 + 50,
      y: Math.floor(c / d.cols) * 100 + 50}));
  const word = {F: 'forward', L: 'turn left', R: 'turn right', S: 'stop', X: 'forward, blocked',
    '-': 'did not move', J: 'put elsewhere'};
  let now = 0, angle = 0, timer = 0;
  slider.max = last;

  const show = k => {
    now = Math.max(0, Math.min(last, k));
    const p = at[now];
    angle += ((p.h * 90 - angle) % 360 + 540) % 360 - 180;
    robot.style.transform = `translate(${p.x}px,${p.y}px) rotate(${angle}deg)`;
    const seen = at.slice(0, now + 1);
    get('trail').setAttribute('d', seen.map((q, i) => (i && Math.abs(q.x - seen[i - 1].x)
      + Math.abs(q.y - seen[i - 1].y) <= 100 ? 'L' : 'M') + q.x + ',' + q.y).join(''));
    get('dots').setAttribute('d', seen.map(q => `M${q.x},${q.y}h0`).join(''));
    let text = `step ${now} of ${last}: ` + (now ? word[d.steps[now - 1]] : 'start');
    if (d.rewards && now) text += `, reward ${d.rewards[now - 1]}, return so far `
      + +d.rewards.slice(0, now).reduce((a, b) => a + b).toFixed(4);
    text += ` (row ${p.row}, col ${p.col}, facing ${['north', 'east', 'south', 'west'][p.h]})`;
    get('caption').textContent = text;
    slider.value = now;
    slider.setAttribute('aria-valuetext', text);
  };
"""

_TAIL = r"""
  const pause = () => { clearTimeout(timer); timer = 0; button.textContent = 'Play'; };
  const tick = () => {
    if (now >= last || !root.isConnected) return pause();
    robot.style.transition = still ? '' : `transform ${speed.value * .6}ms`;
    show(now + 1);
    timer = setTimeout(tick, +speed.value);
  };
  const jump = k => { pause(); robot.style.transition = ''; show(k); };
  button.onclick = () => {
    if (timer) return pause();
    if (now >= last) show(0);
    button.textContent = 'Pause';
    timer = setTimeout(tick, 60);
  };
  get('back').onclick = () => jump(now - 1);
  get('next').onclick = () => jump(now + 1);
  slider.oninput = () => jump(+slider.value);
  root.onkeydown = event => event.stopPropagation();
  show(0);
}
"""


def script(show: str) -> str:
    """Put the buttons, the slider and the clock around JavaScript that defines ``show(step)``.

    It finds ``root``, ``d`` (the data), ``robot`` (the element of class ``bb-robot``, which is
    given a CSS transition while playing), ``slider``, ``get(name)`` and ``last``, and defines
    ``now``, ``timer`` and ``show``.
    """
    lines = f"{_HEAD}\n{show}\n{_TAIL}".splitlines()
    return "\n".join(line.strip() for line in lines if line.strip())


#: A JavaScript function of the player's element and its data.
SCRIPT = script(_EPISODE)
