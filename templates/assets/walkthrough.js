/*
 * Folds the ordered steps of a walkthrough into a stepper. It shows, hides and moves what the server sent and
 * invents no value. State lives in the URL (#wt-<id>--<step>) and in history.state, so links and Back work.
 */
(function () {
  "use strict";
  var walks = {};

  function el(tag, attributes, text) {
    var node = document.createElement(tag);
    Object.keys(attributes).forEach(function (name) {
      node.setAttribute(name, attributes[name]);
    });
    if (text) node.textContent = text;
    return node;
  }

  function states() {
    var all = {};
    Object.keys(walks).forEach(function (id) {
      all[id] = walks[id].at;
    });
    return { wt: all };
  }

  /* "#wt-<id>--<step>" → {id, step}, or null when the fragment is not a walkthrough's. */
  function parse(hash) {
    var match = /^#wt-(.+?)--(.+)$/.exec(decodeURIComponent(hash || ""));
    return match ? { id: match[1], step: match[2] } : null;
  }

  function Walk(figure) {
    this.figure = figure;
    this.id = figure.dataset.wt;
    this.steps = Array.from(figure.querySelectorAll(".wt-step"));
    this.names = this.steps.map(function (step) {
      return step.querySelector(".wt-step-title").textContent.trim();
    });
    this.links = Array.from(figure.querySelectorAll(".wt-index a"));
    this.permalink = figure.querySelector(".wt-permalink");
    this.at = 0;
    this.dragging = false;
    this.build();
    this.listen();
    this.show(0, false);
    figure.dataset.ready = "";
  }

  Walk.prototype.build = function () {
    var row = this.figure.querySelector(".wt-controls");
    var title = this.figure.querySelector(".wt-title").textContent;
    this.back = el("button", { type: "button", class: "wt-back" }, "Back");
    this.range = el("input", {
      type: "range", class: "wt-range", min: "1", max: String(this.steps.length), step: "1",
      "aria-label": "Step of “" + title + "”", autocomplete: "off",
    });
    this.next = el("button", { type: "button", class: "wt-next" }, "Next");
    this.all = el("button", { type: "button", class: "wt-all", "aria-pressed": "false" }, "Show all steps");
    var keys = el("p", { class: "wt-keys" });
    keys.innerHTML = "Keys, while the figure has focus: <kbd>←</kbd> <kbd>→</kbd> step, <kbd>Home</kbd> " +
      "first, <kbd>End</kbd> last, <kbd>Esc</kbd> start over.";
    this.live = el("p", { class: "wt-live visually-hidden", "aria-live": "polite" });
    row.append(this.back, this.range, this.next, this.all, keys);
    this.figure.append(this.live);
    this.figure.tabIndex = -1;
  };

  Walk.prototype.spoken = function (index) {
    return "Step " + (index + 1) + " of " + this.steps.length + ": " + this.names[index];
  };

  /* The one place that changes the picture: everything visible is a function of the index. */
  Walk.prototype.show = function (index, speak) {
    var here = this;
    this.at = index;
    this.steps.forEach(function (step, i) {
      step.classList.toggle("is-current", i === index);
    });
    this.links.forEach(function (link, i) {
      if (i === index) link.setAttribute("aria-current", "step");
      else link.removeAttribute("aria-current");
    });
    this.back.setAttribute("aria-disabled", String(index === 0));
    this.next.setAttribute("aria-disabled", String(index === this.steps.length - 1));
    this.range.value = String(index + 1);
    this.range.setAttribute("aria-valuetext", this.spoken(index));
    this.permalink.href = "#" + this.steps[index].id;
    this.note("");
    if (speak) this.live.textContent = this.spoken(index);
    return here;
  };

  /* A reader's move: show, and record it. Dragging the slider records once, not once a notch. */
  Walk.prototype.go = function (index, replace) {
    index = Math.max(0, Math.min(this.steps.length - 1, index));
    if (index === this.at) return;
    this.show(index, true);
    this.settle();
    var url = "#" + this.steps[index].id;
    if (replace) history.replaceState(states(), "", url);
    else history.pushState(states(), "", url);
  };

  /* Steps differ in height. One that was left from its middle gives way to the top of the next, under the controls. */
  Walk.prototype.settle = function () {
    if (this.figure.classList.contains("wt--all")) {
      this.steps[this.at].scrollIntoView({ block: "start", behavior: "instant" });
      return;
    }
    var bar = this.figure.querySelector(".wt-controls").getBoundingClientRect().bottom;
    var over = Math.max(0, bar) + 12 - this.steps[this.at].getBoundingClientRect().top;
    if (over > 0) window.scrollBy({ top: -over, behavior: "instant" });
  };

  Walk.prototype.listen = function () {
    var here = this;
    this.back.addEventListener("click", function () { here.go(here.at - 1); });
    this.next.addEventListener("click", function () { here.go(here.at + 1); });
    this.range.addEventListener("input", function () {
      here.go(Number(here.range.value) - 1, here.dragging);
      here.dragging = true;
    });
    this.range.addEventListener("change", function () { here.dragging = false; });
    this.links.forEach(function (link, i) {
      link.addEventListener("click", function (event) {
        if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
        event.preventDefault();
        here.go(i);
      });
    });
    this.all.addEventListener("click", function () {
      var on = here.figure.classList.toggle("wt--all");
      here.all.setAttribute("aria-pressed", String(on));
    });
    this.figure.addEventListener("keydown", function (event) { here.key(event); });
  };

  Walk.prototype.key = function (event) {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    if (document.querySelector(":popover-open")) return;
    var target = event.target;
    var own = target.closest("input, select, textarea");
    var scrolls = target.matches(".table-scroll") && target.scrollWidth > target.clientWidth;
    var to = { ArrowLeft: this.at - 1, ArrowRight: this.at + 1, Home: 0, End: this.steps.length - 1, Escape: 0 };
    if (!(event.key in to) || (event.key !== "Escape" && (own || scrolls))) return;
    event.preventDefault();
    this.go(to[event.key]);
  };

  /* A visible sentence about the address; an empty one takes it away. */
  Walk.prototype.note = function (text) {
    var old = this.figure.querySelector(".wt-note");
    if (old) old.remove();
    if (!text) return;
    var note = el("p", { class: "wt-note", role: "status" }, text);
    this.figure.querySelector(".wt-controls").before(note);
  };

  /* Shows what the fragment names. `arriving`: the page was opened on it, so bring the figure into view. */
  function follow(arriving) {
    var wanted = parse(location.hash);
    if (!wanted) return;
    var ids = Object.keys(walks);
    var walk = walks[wanted.id];
    if (!walk) {
      if (!document.getElementById(location.hash.slice(1)) && ids.length) {
        walks[ids[0]].note("This page has no walkthrough “" + wanted.id + "”. Showing the page as it opens.");
      }
      return;
    }
    var index = walk.steps.findIndex(function (step) { return step.dataset.step === wanted.step; });
    walk.show(Math.max(0, index), !arriving);
    if (index < 0) {
      walk.note("This walkthrough has no step “" + wanted.step + "”. Showing the first step instead.");
    }
    if (arriving) walk.figure.scrollIntoView({ block: "start", behavior: "instant" });
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
