/*
 * Search: a dialog on every page, opened by the link in the header, and the field of the search page. What is needed
 * to rank (library, documents, engine) is loaded when search is first used. Without script the link leads to a list.
 */
(function () {
  "use strict";
  var root = new URL("..", document.currentScript.src);
  var NEEDED = ["assets/vendor/minisearch/minisearch.min.js", "assets/search-index.js", "assets/search-engine.js"];
  var PAUSE = 80; // milliseconds without a keystroke before the list is made
  var engine = null;
  var count = 0;

  function el(tag, attributes, text) {
    var node = document.createElement(tag);
    Object.keys(attributes || {}).forEach(function (name) { node.setAttribute(name, attributes[name]); });
    if (text) node.textContent = text;
    return node;
  }

  function script(path) {
    return new Promise(function (done, failed) {
      var node = el("script", { src: new URL(path, root).href });
      node.async = false;
      node.onload = done;
      node.onerror = function () { failed(new Error(path)); };
      document.head.appendChild(node);
    });
  }

  /* The engine, loaded once; a failure is forgotten, so that the next use tries again. */
  function load() {
    if (!engine) {
      engine = Promise.all(NEEDED.map(script)).then(function () { return globalThis.zerothFind; });
      engine.catch(function () { engine = null; });
    }
    return engine;
  }

  function fill(node, pieces) {
    pieces.forEach(function (piece) { node.append(piece[1] ? el("mark", {}, piece[0]) : piece[0]); });
    return node;
  }

  function result(hit) {
    var link = el("a", { href: new URL(hit.url, root).href, class: "find-hit" });
    link.append(fill(el("span", { class: "find-title" }), hit.title), " ");
    link.append(el("span", { class: "find-where" }, hit.label + (hit.where ? ": " + hit.where : "")), " ");
    link.append(fill(el("span", { class: "find-text" }), hit.text));
    var item = el("li");
    item.append(link);
    return item;
  }

  /* A field with its list of links. `changed(query)` is told what the list answers. */
  function Finder(place, changed) {
    var here = this;
    var id = "find-" + ++count;
    this.changed = changed || function () {};
    this.timer = 0;
    this.asked = "";
    this.input = el("input", {
      type: "search", id: id, class: "find-input", autocomplete: "off", autocapitalize: "off", spellcheck: "false",
      enterkeyhint: "go", "aria-describedby": id + "-help",
    });
    this.status = el("p", { class: "find-status", role: "status" });
    this.list = el("ol", { class: "find-list", "aria-label": "Results" });
    place.replaceChildren(
      el("label", { for: id, class: "find-label" }, "Search this site"),
      this.input,
      el("p", { class: "find-help", id: id + "-help" }, "Down and Up move through the results, Enter opens one."),
      this.status,
      this.list
    );
    place.hidden = false;
    this.input.addEventListener("focus", function () { load().catch(function () {}); });
    this.input.addEventListener("input", function () {
      clearTimeout(here.timer);
      here.timer = setTimeout(function () { here.show(); }, PAUSE);
    });
    place.addEventListener("keydown", function (event) { here.key(event); });
  }

  Finder.prototype.links = function () {
    return Array.from(this.list.querySelectorAll("a"));
  };

  Finder.prototype.show = function () {
    var here = this;
    var query = this.input.value.trim();
    this.asked = query;
    return load().then(function (find) {
      if (here.asked !== query) return;
      var hits = find(query);
      here.list.replaceChildren.apply(here.list, hits.map(result));
      here.list.dataset.query = query;
      here.status.textContent = !query ? "" : hits.length === 1 ? "1 result" : (hits.length || "No") + " results";
      here.changed(query);
    }, function () {
      here.status.textContent = "Search could not be loaded. The search page lists every page.";
    });
  };

  Finder.prototype.key = function (event) {
    if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    var stops = [this.input].concat(this.links());
    var at = stops.indexOf(document.activeElement);
    if (at < 0) return;
    var to = { ArrowDown: at + 1, ArrowUp: at - 1 }[event.key];
    if (to !== undefined) {
      event.preventDefault();
      stops[Math.max(0, Math.min(to, stops.length - 1))].focus();
    } else if (event.key === "Enter" && at === 0) {
      event.preventDefault();
      this.open();
    } else if (at > 0 && event.key.length === 1) {
      this.input.focus(); // typing goes on in the field
    }
  };

  /* Enter in the field: the list may lag behind the last keystroke, so it is made first. */
  Finder.prototype.open = function () {
    var here = this;
    clearTimeout(this.timer);
    this.show().then(function () { if (here.links().length) here.links()[0].click(); });
  };

  var dialog = null;
  var finder = null;

  function build() {
    dialog = el("dialog", { class: "sheet sheet--find", "aria-label": "Search" });
    var close = el("button", { type: "button", class: "sheet-close" }, "Close");
    close.addEventListener("click", function () { dialog.close(); });
    var box = el("div", { class: "find" });
    var all = el("p", { class: "find-more" });
    all.append(el("a", { href: new URL("search/index.html", root).href }, "Everything as one list"));
    dialog.append(box, all, close);
    finder = new Finder(box);
    dialog.addEventListener("keydown", function (event) {
      if (event.key !== "Escape" || event.isComposing) return;
      event.preventDefault();
      dialog.close();
    });
    dialog.addEventListener("click", function (event) {
      if (event.target === dialog || event.target.closest("a")) dialog.close();
    });
    document.body.append(dialog);
  }

  var page = document.querySelector("[data-find]");
  if (page) {
    var own = new Finder(page, function (query) {
      var address = new URL(location.href);
      if (query) address.searchParams.set("q", query);
      else address.searchParams.delete("q");
      if (address.href !== location.href) history.replaceState(null, "", address);
      document.body.classList.toggle("finding", Boolean(query));
    });
    own.input.value = new URLSearchParams(location.search).get("q") || "";
    if (own.input.value) own.show();
  }

  function open() {
    if (own) {
      own.input.focus();
      own.input.select();
      return;
    }
    if (!dialog) build();
    if (!dialog.open) dialog.showModal();
    finder.input.focus();
    finder.input.select();
  }

  document.querySelectorAll("[data-find-open]").forEach(function (link) {
    link.addEventListener("click", function (event) {
      if (event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
      event.preventDefault();
      open();
    });
  });
  document.addEventListener("zeroth:search", open);
})();
