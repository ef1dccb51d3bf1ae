/*
 * What you have read, kept in this browser and nowhere else: a button on each concept page, a way back from the home
 * page, and a page that shows, exports, imports and forgets it all. Without storage the button is not made.
 */
(function () {
  "use strict";
  var KEY = "zeroth-progress";
  var VERSION = 1;

  function empty() {
    return { version: VERSION, read: [], last: null };
  }

  /* A state out of anything, or null when it is none of ours. */
  function sound(value) {
    if (!value || typeof value !== "object" || value.version !== VERSION || !Array.isArray(value.read)) return null;
    var slug = /^[a-z0-9]+(-[a-z0-9]+)*$/;
    var last = value.last;
    var good = last && typeof last === "object" && slug.test(last.slug) && typeof last.title === "string";
    return {
      version: VERSION,
      read: value.read.filter(function (name, at, all) { return slug.test(name) && all.indexOf(name) === at; }).sort(),
      last: good ? { slug: last.slug, title: last.title.slice(0, 200), part: String(last.part || "") } : null
    };
  }

  function load() {
    try {
      return sound(JSON.parse(localStorage.getItem(KEY))) || empty();
    } catch (error) {
      return empty();
    }
  }

  function save(state) {
    try {
      if (state.read.length || state.last) localStorage.setItem(KEY, JSON.stringify(state));
      else localStorage.removeItem(KEY);
      return true;
    } catch (error) {
      return false;
    }
  }

  function make(tag, text, name) {
    var node = document.createElement(tag);
    if (text) node.textContent = text;
    if (name) node.className = name;
    if (tag === "button") node.type = "button";
    return node;
  }

  function mark(slug, read) {
    var state = load();
    state.read = state.read.filter(function (name) { return name !== slug; });
    if (read) state.read.push(slug);
    state.read.sort();
    return save(state);
  }

  /* The site's root as this page links to it; the wordmark leads there from every page. */
  var home = document.querySelector(".wordmark");
  var rel = home ? home.getAttribute("href").replace(/index\.html$/, "") : "";

  function slugOf(link) {
    var found = /(?:^|\/)concepts\/([a-z0-9-]+)\/index\.html$/.exec((link.getAttribute("href") || "").split(/[?#]/)[0]);
    return found ? found[1] : "";
  }

  function each(selector, action) {
    document.querySelectorAll(selector).forEach(action);
  }

  /* Marks beside links in lists. */
  function showMarks() {
    var read = load().read;
    each(".read-mark", function (node) { node.remove(); });
    each(".site-nav a, .entry-title > a, .catalogue a", function (link) {
      if (read.indexOf(slugOf(link)) >= 0) link.append(make("span", " ✓ read", "read-mark"));
    });
    each(".map-node", function (node) {
      var is = read.indexOf(node.getAttribute("data-slug")) >= 0;
      node.classList.toggle("is-read", is);
      if (is) node.setAttribute("aria-label", node.textContent.trim() + ", read");
      else node.removeAttribute("aria-label");
    });
  }

  function conceptPage(place) {
    var slug = place.getAttribute("data-progress");
    var title = document.querySelector("h1").textContent.trim();
    var state = load();
    function remember() {
      state = load();
      state.last = { slug: slug, title: title, part: location.hash.slice(1) };
      return save(state);
    }
    if (!remember()) return;
    window.addEventListener("hashchange", remember);
    var line = make("p");
    var button = make("button", "", "progress-button");
    var more = make("a", "Your progress");
    more.href = rel + "progress/index.html";
    function show() {
      var is = load().read.indexOf(slug) >= 0;
      button.setAttribute("aria-pressed", String(is));
      button.textContent = is ? "Read" : "Mark as read";
    }
    button.addEventListener("click", function () {
      mark(slug, button.getAttribute("aria-pressed") !== "true");
      show();
      showMarks();
    });
    window.addEventListener("storage", function () { show(); showMarks(); });
    show();
    line.append(button, more);
    place.append(line);
  }

  function homePage(place) {
    var state = load();
    if (!state.last) return;
    var line = make("p", "Where you were: ", "resume");
    var link = make("a", state.last.title);
    link.href = rel + "concepts/" + state.last.slug + "/index.html" + (state.last.part ? "#" + state.last.part : "");
    line.append(link);
    if (state.read.length) line.append(". Pages read: " + state.read.length + ".");
    place.after(line);
  }

  function progressPage(place) {
    var tools = make("div", "", "progress-tools");
    var say = make("p", "", "progress-say");
    say.setAttribute("role", "status");
    var boxes = {};

    function count() {
      var names = Object.keys(boxes);
      var read = load().read.filter(function (name) { return boxes[name]; });
      return read.length + " of " + names.length + " pages read.";
    }
    function show(text) {
      var read = load().read;
      Object.keys(boxes).forEach(function (name) { boxes[name].checked = read.indexOf(name) >= 0; });
      say.textContent = (text ? text + " " : "") + count();
    }

    each("[data-page]", function (item) {
      var slug = item.getAttribute("data-page");
      var label = make("label");
      var box = make("input");
      box.type = "checkbox";
      box.setAttribute("aria-label", item.textContent.trim() + ": read");
      box.addEventListener("change", function () {
        show(mark(slug, box.checked) ? "" : "This browser keeps nothing for this page.");
      });
      label.append(box);
      item.prepend(label);
      boxes[slug] = box;
    });

    var out = make("button", "Export");
    out.addEventListener("click", function () {
      var file = make("a");
      file.href = URL.createObjectURL(new Blob([JSON.stringify(load(), null, 1) + "\n"], { type: "application/json" }));
      file.download = "zeroth-progress.json";
      file.click();
      setTimeout(function () { URL.revokeObjectURL(file.href); }, 1000);
      show("Written to zeroth-progress.json.");
    });

    var input = make("input", "", "visually-hidden");
    input.type = "file";
    input.accept = "application/json,.json";
    input.tabIndex = -1;
    input.setAttribute("aria-label", "File to import");
    var into = make("button", "Import");
    into.addEventListener("click", function () { input.click(); });
    input.addEventListener("change", function () {
      var file = input.files[0];
      input.value = "";
      if (!file) return;
      file.text().then(function (text) {
        var given = null;
        try {
          given = sound(JSON.parse(text));
        } catch (error) {
          given = null;
        }
        if (!given) {
          show("That file is no progress of this site. Nothing was changed.");
          return;
        }
        var state = load();
        var unknown = given.read.filter(function (name) { return !boxes[name]; }).length;
        state.read = state.read.concat(given.read.filter(function (name) {
          return boxes[name] && state.read.indexOf(name) < 0;
        })).sort();
        if (!state.last && given.last && boxes[given.last.slug]) state.last = given.last;
        var kept = save(state);
        show(!kept ? "This browser keeps nothing for this page."
          : "Imported." + (unknown ? " Pages of the file that this site does not have: " + unknown + "." : ""));
      });
    });

    var forget = make("button", "Forget everything");
    var keep = make("button", "Keep it");
    keep.hidden = true;
    function ask(asking) {
      forget.textContent = asking ? "Yes, forget it" : "Forget everything";
      keep.hidden = !asking;
    }
    forget.addEventListener("click", function () {
      if (keep.hidden) {
        ask(true);
        say.textContent = "This removes every mark and the page you were on. It cannot be undone.";
        return;
      }
      ask(false);
      save(empty());
      show("Forgotten.");
    });
    keep.addEventListener("click", function () {
      ask(false);
      show("Kept.");
      forget.focus();
    });

    tools.append(out, into, input, forget, keep);
    place.replaceChildren(tools, say);
    place.hidden = false;
    window.addEventListener("storage", function () { show(); });
    show();
  }

  function at(selector, action) {
    var place = document.querySelector(selector);
    if (place) action(place);
  }
  at("[data-progress]", conceptPage);
  at("[data-resume]", homePage);
  at("[data-progress-tools]", progressPage);
  showMarks();
})();
