"""What the wall does in the browser: the player's buttons and clock, and N robots."""

from __future__ import annotations

from burgerbot.show.player_script import script

# The states come as the first ones, and then a letter for each robot and step; "jumps" holds the
# states, in order, of those whose letter is J.
_WALL = r"""
  const [across, dx, dy] = d.grid;
  const arrivals = get('arrivals').children, trails = get('trail').children;
  const unpack = s => ({c: s >> 2, h: s & 3, from: 0, seen: 0});
  const at = [d.states[0].map(unpack)];
  let jumps = 0;
  d.states.slice(1).forEach((letters, t) => at.push(at[t].map(({c, h, from, seen}, i) => {
    const k = letters[i];
    let next = {c, h: (h + {L: 3, R: 1}[k] || h) & 3, from, seen};
    if (k == 'F') next.c += [-d.cols[i], 1, d.cols[i], -1][h];
    if (k == 'J') next = {...unpack(d.jumps[jumps++]), from: t + 1, seen};
    if (next.c == d.goals[i] && c != next.c) next.seen++;
    return next;
  })));
  const x = (i, c) => i % across * dx + c % d.cols[i] * 100 + 50;
  const y = (i, c) => Math.floor(i / across) * dy + Math.floor(c / d.cols[i]) * 100 + 50;
  const angles = d.cols.map(() => 0);
  const many = (n, what) => n + ' ' + what + (n == 1 ? '' : 's');
  let now = 0, timer = 0;
  slider.max = last;

  const show = k => {
    now = Math.max(0, Math.min(last, k));
    const put = [];
    at[now].forEach(({c, h, from, seen}, i) => {
      const jumped = now && from == now;
      if (jumped) put.push(i);
      angles[i] += ((h * 90 - angles[i]) % 360 + 540) % 360 - 180;
      const style = robot.children[i].style;
      style.transition = jumped ? 'none' : 'inherit';
      style.transform = `translate(${x(i, c)}px,${y(i, c)}px) rotate(${angles[i]}deg)`;
      trails[i].setAttribute('d', at.slice(from, now + 1).map((past, j) =>
        (j ? 'L' : 'M') + x(i, past[i].c) + ',' + y(i, past[i].c)).join(''));
      arrivals[i].textContent = seen ? '\u2713 ' + seen : '';
    });
    let text = `step ${now} of ${last}: `
      + many(at[now].reduce((sum, one) => sum + one.seen, 0), 'arrival') + ' at the goal so far';
    if (put.length) text += ', just put elsewhere: ' + (put.length > 6
      ? many(put.length, 'robot') : 'robot' + (put.length > 1 ? 's ' : ' ') + put.join(', '));
    get('caption').textContent = text;
    slider.value = now;
    slider.setAttribute('aria-valuetext', text);
  };
"""

#: A JavaScript function of the wall's element and its data.
SCRIPT = script(_WALL)
