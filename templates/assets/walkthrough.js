/*
 * Folds the steps of a walkthrough and adds its control: one slider over all steps or, with dials.js, dials or cells.
 * It shows, hides and moves what the server sent and invents nothing. State lives in the URL (#wt-<id>--<step>) and in
 * history.state, so links and Back work.
 */
(function () {
  "use strict";
  var walks = {};
  var TOP = { block: "start", behavior: "instant" };
  var grid = window.walkthroughGrid; // without it a grid is walked as one line

  function el(tag, attributes, text) {
    var node = document.createElement(tag);
    Object.keys(attributes).forEach(function (name) {
      node.setAttribute(name, attributes[name]);
    });
    if (text) node.textContent = text;
    return node;
  }

  function modified(event) {
    return event.ctrlKey || event.metaKey || event.altKey || event.shiftKey;
  }

  function states() {
    return { wt: Object.fromEntries(Object.keys(walks).map(function (id) { return [id, walks[id].at]; })) };
  }

  /* "#wt-<id>--<step>" → {id, step}, or null when the fragment is not a walkthrough's. */
  function parse(hash) {
    var match = /^#wt-(.+?)--(.+)$/.exec(decodeURIComponent(hash || ""));
    return match ? { id: match[1], step: match[2] } : null;
  }

  function Walk(figure) {
    var here = this;
    this.figure = figure;
    this.id = figure.dataset.wt;
    this.state = figure.dataset.state;
    this.axes = grid ? grid.axes(figure) : [];
    this.steps = Array.from(figure.querySelectorAll(".wt-step"));
    this.names = this.steps.map(function (step) { return step.querySelector(".wt-step-title").textContent.trim(); });
    this.first = Math.max(0, this.steps.findIndex(function (step) { return step.classList.contains("is-first"); }));
    this.map = figure.querySelector(".wt-map");
    this.bar = figure.querySelector(".wt-controls");
    this.links = Array.from(figure.querySelectorAll(".wt-index a"));
    this.permalink = figure.querySelector(".wt-permalink");
    this.title = figure.querySelector(".wt-title").textContent;
    this.sliders = [];
    this.build();
    this.links.forEach(function (link, i) {
      link.addEventListener("click", function (event) {
        if (modified(event)) return;
        event.preventDefault();
        here.go(i);
      });
    });
    figure.addEventListener("keydown", function (event) { here.key(event); });
    this.show(this.first, false);
    figure.dataset.ready = "";
  }
  var proto = Walk.prototype;

  /* The step `by` places along an axis, or this one where the axis ends; axis -1 is the line of all steps. */
  proto.beside = function (axis, by, from) {
    if (axis < 0) return Math.max(0, Math.min(this.steps.length - 1, this.at + by));
    return grid.beside(this.axes, this.at, axis, by, from);
  };

  /* Back, slider, Next for one axis (-1: for all steps in a line, where `plain` leaves the slider out). */
  proto.slider = function (axis, plain) {
    var here = this;
    var one = { axis: axis, size: axis < 0 ? this.steps.length : this.axes[axis].values.length };
    one.back = el("button", { type: "button", class: "wt-back" }, "Back");
    one.next = el("button", { type: "button", class: "wt-next" }, "Next");
    one.range = el("input", {
      type: "range", class: "wt-range", min: "1", max: String(one.size), step: "1", autocomplete: "off",
      "aria-label": "Step of \u201c" + this.title + "\u201d",
    });
    [[one.back, -1], [one.next, 1]].forEach(function (pair) {
      pair[0].addEventListener("click", function () { here.go(here.beside(axis, pair[1])); });
    });
    one.range.addEventListener("input", function () {
      here.go(axis < 0 ? Number(one.range.value) - 1 : here.beside(axis, 0, Number(one.range.value) - 1), here.dragging);
      here.dragging = true;
    });
    one.range.addEventListener("change", function () { here.dragging = false; });
    this.sliders.push(one);
    if (axis >= 0) return [grid.dial(one, this.axes[axis].name)];
    return plain ? [one.back, one.next] : [one.back, one.range, one.next];
  };

  var KEYS = "<kbd>←</kbd> <kbd>→</kbd> step, <kbd>Home</kbd> first, <kbd>End</kbd> last, <kbd>Esc</kbd> start over.";

  proto.build = function () {
    var here = this, control = this.figure.dataset.control;
    var row = this.bar;
    if (grid && control === "dials") this.axes.forEach(function (_, axis) { row.append(...here.slider(axis)); });
    else row.append(...this.slider(-1, grid && control === "cells"));
    this.all = el("button", { type: "button", class: "wt-all", "aria-pressed": "false" }, "Show all " + this.state + "s");
    this.all.addEventListener("click", function () {
      here.all.setAttribute("aria-pressed", String(here.figure.classList.toggle("wt--all")));
    });
    var keys = el("p", { class: "wt-keys" });
    keys.innerHTML = "Keys, while the figure has focus: " + (this.axes.length ? grid.keys(this.axes) : KEYS);
    this.live = el("p", { class: "wt-live visually-hidden", "aria-live": "polite" });
    row.append(this.all, keys);
    this.figure.append(this.live);
    this.figure.tabIndex = -1;
  };

  proto.spoken = function (index) {
    if (this.axes.length) return this.names[index];
    return "Step " + (index + 1) + " of " + this.steps.length + ": " + this.names[index];
  };

  /* The one place that changes the picture: everything visible is a function of the index. */
  proto.show = function (index, speak) {
    var here = this, place = grid ? grid.place(this.axes, index) : [], roving = this.map;
    this.at = index;
    this.steps.forEach(function (step, i) { step.classList.toggle("is-current", i === index); });
    this.links.forEach(function (link, i) {
      if (roving) link.tabIndex = i === index ? 0 : -1;
      if (i === index) link.setAttribute("aria-current", "step");
      else link.removeAttribute("aria-current");
    });
    this.sliders.forEach(function (one) {
      var at = one.axis < 0 ? index : place[one.axis];
      one.back.setAttribute("aria-disabled", String(at === 0));
      one.next.setAttribute("aria-disabled", String(at === one.size - 1));
      one.range.value = String(at + 1);
      if (one.value) one.value.textContent = here.axes[one.axis].values[at];
      one.range.setAttribute("aria-valuetext", one.value ? one.value.textContent : here.spoken(index));
    });
    this.permalink.href = "#" + this.steps[index].id;
    this.note("");
    if (speak) this.live.textContent = this.spoken(index);
  };

  /* A reader's move: show, and record it. Dragging the slider records once, not once a notch. */
  proto.go = function (index, replace) {
    index = Math.max(0, Math.min(this.steps.length - 1, index));
    if (index === this.at) return;
    this.show(index, true);
    this.settle();
    var url = "#" + this.steps[index].id;
    if (replace) history.replaceState(states(), "", url);
    else history.pushState(states(), "", url);
  };

  /* Steps differ in height. One that was left from its middle gives way to the top of the next, under the controls. */
  proto.settle = function () {
    if (this.figure.classList.contains("wt--all")) {
      this.steps[this.at].scrollIntoView(TOP);
      return;
    }
    var bar = this.bar.getBoundingClientRect().bottom;
    var over = Math.max(0, bar) + 12 - this.steps[this.at].getBoundingClientRect().top;
    if (over > 0) window.scrollBy({ top: -over, behavior: "instant" });
  };

  proto.key = function (event) {
    if (event.defaultPrevented || modified(event)) return;
    if (document.querySelector(":popover-open")) return;
    var target = event.target, last = this.axes.length - 1;
    var inMap = this.map && this.map.contains(target), own = target.closest("input, select, textarea");
    var scrolls = target.matches(".table-scroll") && target.scrollWidth > target.clientWidth;
    var to = {
      ArrowLeft: this.beside(last, -1), ArrowRight: this.beside(last, 1),
      Home: 0, End: this.steps.length - 1, Escape: this.first,
    };
    if (last > 0 && (inMap || target.closest(".wt-controls"))) {
      to.ArrowUp = this.beside(0, -1);
      to.ArrowDown = this.beside(0, 1);
    }
    if (!(event.key in to) || (event.key !== "Escape" && (own || scrolls))) return;
    event.preventDefault();
    this.go(to[event.key]);
    if (inMap && target.matches("a")) this.links[this.at].focus();
  };

  /* A visible sentence about the address; an empty one takes it away. */
  proto.note = function (text) {
    var old = this.figure.querySelector(".wt-note");
    if (old) old.remove();
    if (!text) return;
    var note = el("p", { class: "wt-note", role: "status" }, text);
    this.bar.before(note);
  };

  /* Shows what the fragment names. `arriving`: the page was opened on it, so bring the figure into view. */
  function follow(arriving) {
    var wanted = parse(location.hash);
    if (!wanted) return;
    var ids = Object.keys(walks), walk = walks[wanted.id];
    if (!walk) {
      if (!document.getElementById(location.hash.slice(1)) && ids.length) {
        walks[ids[0]].note("This page has no walkthrough “" + wanted.id + "”. Showing the page as it opens.");
      }
      return;
    }
    var index = walk.steps.findIndex(function (step) { return step.dataset.step === wanted.step; });
    walk.show(index < 0 ? walk.first : index, !arriving);
    if (index < 0) {
      walk.note("This walkthrough has no " + walk.state + " “" + wanted.step + "”. Showing the first " + walk.state + " instead.");
    }
    if (arriving) walk.figure.scrollIntoView(TOP);
  }

  document.querySelectorAll(".wt[data-wt]").forEach(function (figure) {
    walks[figure.dataset.wt] = new Walk(figure);
  });
  if (!Object.keys(walks).length) return;

  history.replaceState(states(), "", location.href);
  follow(true);

  window.addEventListener("popstate", function (event) {
    var saved = event.state && event.state.wt;
    if (saved) {
      Object.keys(saved).forEach(function (id) {
        if (walks[id] && walks[id].at !== saved[id]) walks[id].show(saved[id], true);
      });
    }
    follow(false);
  });
})();
