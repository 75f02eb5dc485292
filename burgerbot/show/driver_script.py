"""What the driver does in the browser: arrow keys press its buttons, and no key goes further."""

from __future__ import annotations

from burgerbot.show.svg import hex_colour
from burgerbot.world import render

# JupyterLab looks for shortcuts before the key reaches any element; it leaves out elements with
# data-lm-suppress-shortcuts. Stopping the event keeps it from the listeners that come later.
_SOURCE = r"""
root => {
  if (!root || root.dataset.live) return;
  root.dataset.live = 'yes';
  root.tabIndex = 0;
  root.setAttribute('data-lm-suppress-shortcuts', 'true');
  root.setAttribute('role', 'group');
  root.setAttribute('aria-label', 'Drive BurgerBot with the arrow keys');
  const names = {ArrowUp: 'forward', ArrowLeft: 'left', ArrowRight: 'right', ArrowDown: 'stop'};
  root.addEventListener('keydown', event => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    event.stopPropagation();
    if (!(event.key in names)) return;
    event.preventDefault();
    root.querySelector('.bb-' + names[event.key]).click();
  });
  root.addEventListener('click', event => {
    if (!event.target.closest('button')) root.focus({preventScroll: true});
  });
  root.addEventListener('focusin', () => root.querySelectorAll('.bb-status, .bb-message')
    .forEach(line => line.setAttribute('aria-live', 'polite')));
  const area = root.parentElement && root.parentElement.closest('.jp-OutputArea');
  if (area) area.querySelectorAll('.bb-still').forEach(still => { still.hidden = true; });
}
"""

_STYLE = f"""
.bb-driver {{ background: #fff; color: #323238; padding: 8px; border-radius: 6px; width: auto; }}
.bb-driver:focus-within {{ outline: 3px solid {hex_colour(render.BODY)}; outline-offset: -3px; }}
.bb-driver .widget-html-content {{ color: #323238; }}
"""


def _flat(text: str) -> str:
    """Drop indentation and blank lines."""
    return "\n".join(line.strip() for line in text.strip().splitlines() if line.strip())


#: HTML for an Output widget inside the driver; ipywidgets' own HTML widget runs no scripts.
SCRIPT = (
    f"<style>{_flat(_STYLE)}</style>"
    f"<script>({_flat(_SOURCE)})(document.currentScript.closest('.bb-driver'))</script>"
)
