/*
 * For walkthroughs whose states are a grid of settings: the places on its axes and the controls of one axis. Loaded
 * before walkthrough.js, and only where a page has such a walkthrough.
 */
window.walkthroughGrid = (function () {
  "use strict";
  var ACROSS = "<kbd>←</kbd> <kbd>→</kbd> ";
  var REST = ", <kbd>Home</kbd> first, <kbd>End</kbd> last, <kbd>Esc</kbd> as it opened.";

  /* The axes that a figure declares; none where its states are one line. */
  function axes(figure) {
    return JSON.parse(figure.dataset.axes).map(function (axis) { return { name: axis[0], values: axis[1] }; });
  }

  /* The position of a step on each axis; the last axis turns fastest. */
  function place(all, index) {
    return all.map(function (axis, i) {
      var below = all.slice(i + 1).reduce(function (n, one) { return n * one.values.length; }, 1);
      return Math.floor(index / below) % axis.values.length;
    });
  }

  /* The step `by` places from step `at` (or from place `from`) along an axis, or its end. */
  function beside(all, at, axis, by, from) {
    var to = place(all, at);
    to[axis] = Math.max(0, Math.min(all[axis].values.length - 1, (from === undefined ? to[axis] : from) + by));
    return all.reduce(function (n, one, i) { return n * one.values.length + to[i]; }, 0);
  }

  /* A slider and its buttons as the row of a dial, with its name and the value it stands at. */
  function dial(one, name) {
    var label = document.createElement("span"), row = document.createElement("div");
    one.value = document.createElement("span");
    one.value.className = "wt-value";
    label.className = "wt-dial-name";
    label.append(name + " ", one.value);
    one.back.textContent = "\u2212";
    one.next.textContent = "+";
    one.back.setAttribute("aria-label", name + ": back");
    one.next.setAttribute("aria-label", name + ": on");
    one.range.setAttribute("aria-label", name);
    row.className = "wt-dial";
    row.setAttribute("role", "group");
    row.setAttribute("aria-label", name);
    row.append(label, one.back, one.range, one.next);
    return row;
  }

  /* The keys of a strip or a table, as HTML. */
  function keys(all) {
    if (all.length === 1) return ACROSS + "one place" + REST;
    return ACROSS + "across, on the table or a button also <kbd>↑</kbd> <kbd>↓</kbd>" + REST;
  }

  return { axes: axes, place: place, beside: beside, dial: dial, keys: keys };
})();
