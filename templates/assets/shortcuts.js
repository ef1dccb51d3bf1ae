/*
 * Keyboard shortcuts of one key, and the panel that names them. They keep quiet while something is typed, with a
 * modifier and while a dialog is open, and can be switched off for good (WCAG 2.1.4).
 */
(function () {
  "use strict";
  var KEY = "zeroth-shortcuts";
  var panel = null;
  var on = remembered();
  var status = document.createElement("p");
  status.className = "visually-hidden";
  status.setAttribute("role", "status");
  document.body.append(status);

  function remembered() {
    try {
      return localStorage.getItem(KEY) !== "off";
    } catch (error) {
      return true;
    }
  }

  function remember() {
    try {
      if (on) localStorage.removeItem(KEY);
      else localStorage.setItem(KEY, "off");
    } catch (error) {
      /* Storage is closed: the choice lasts for this page. */
    }
  }

  function turn(rel, absent) {
    return function () {
      var link = document.querySelector('a[rel~="' + rel + '"]');
      if (link) link.click();
      else status.textContent = absent;
    };
  }

  function theme() {
    var button = document.querySelector(".theme-toggle");
    if (!button) return;
    button.click();
    status.textContent = button.textContent;
  }

  var SHORTCUTS = [
    { key: "/", says: "Search", run: function () { document.dispatchEvent(new CustomEvent("zeroth:search")); } },
    { key: "n", says: "Next page of the list", run: turn("next", "No next page") },
    { key: "p", says: "Previous page of the list", run: turn("prev", "No previous page") },
    { key: "t", says: "Theme: as the system, light, dark", run: theme },
    { key: "?", says: "This list", run: open },
  ];
  var ELSEWHERE = [
    ["← → Home End", "Steps of a walkthrough, while it has the focus"],
    ["↓ ↑ Enter", "Results of a search"],
    ["Esc", "Close what is open"],
  ];

  function el(tag, name, text) {
    var node = document.createElement(tag);
    if (name) node.className = name;
    if (text) node.textContent = text;
    return node;
  }

  function row(keys, says) {
    var pair = el("div");
    var term = el("dt");
    keys.split(" ").forEach(function (key) { term.append(el("kbd", "", key), " "); });
    pair.append(term, el("dd", "", says));
    return pair;
  }

  function rows(pairs, name) {
    var list = el("dl", "keys-list" + (name || ""));
    pairs.forEach(function (pair) { list.append(row(pair[0], pair[1])); });
    return list;
  }

  function build() {
    panel = el("dialog", "sheet sheet--keys");
    panel.setAttribute("aria-labelledby", "keys-title");
    var title = el("h2", "sheet-title", "Keyboard shortcuts");
    title.id = "keys-title";
    var choice = el("label", "keys-choice");
    var box = el("input");
    box.type = "checkbox";
    box.checked = on;
    box.addEventListener("change", function () {
      on = box.checked;
      remember();
    });
    choice.append(box, "Shortcuts of one key are on");
    var close = el("button", "sheet-close", "Close");
    close.type = "button";
    close.addEventListener("click", function () { panel.close(); });
    panel.append(
      title,
      rows(SHORTCUTS.map(function (shortcut) { return [shortcut.key, shortcut.says]; })),
      choice,
      el("p", "keys-note", "Off, this browser remembers it; the button at the foot of every page still opens this list."),
      el("h3", "keys-title", "Always"),
      rows(ELSEWHERE, " keys-list--wide"),
      close
    );
    panel.addEventListener("click", function (event) { if (event.target === panel) panel.close(); });
    document.body.append(panel);
  }

  function open() {
    if (!panel) build();
    panel.showModal();
    panel.querySelector(".sheet-close").focus();
  }

  function typing(node) {
    var field = node.closest("input, textarea, select, [contenteditable]");
    return field && !/^(range|checkbox|radio|button)$/.test(field.type);
  }

  document.addEventListener("keydown", function (event) {
    if (!on || event.defaultPrevented || event.isComposing || event.repeat) return;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (typing(event.target) || document.querySelector("dialog[open]")) return;
    var shortcut = SHORTCUTS.find(function (one) { return one.key === event.key; });
    if (!shortcut) return;
    event.preventDefault();
    shortcut.run();
  });

  var place = document.querySelector("[data-keys]");
  if (place) {
    var button = el("button", "keys-open", "Keyboard shortcuts");
    button.type = "button";
    button.addEventListener("click", open);
    place.append(button);
  }
})();
