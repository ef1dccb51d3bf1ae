/* Runs in the head, before the first paint: the remembered theme, and the mark that script is on. */
(function () {
  "use strict";
  var root = document.documentElement;
  var ORDER = ["auto", "light", "dark"];
  var KEY = "zeroth-theme";

  function remembered() {
    try {
      var value = localStorage.getItem(KEY);
      return ORDER.indexOf(value) > 0 ? value : "auto";
    } catch (error) {
      return "auto";
    }
  }

  function apply(theme) {
    if (theme === "auto") root.removeAttribute("data-theme");
    else root.setAttribute("data-theme", theme);
  }

  var theme = remembered();
  apply(theme);
  root.classList.add("js");

  function addButton() {
    var place = document.querySelector("[data-theme-toggle]");
    if (!place || place.querySelector(".theme-toggle")) return;
    var button = document.createElement("button");
    button.type = "button";
    button.className = "theme-toggle";
    var word = document.createElement("span");
    word.className = "theme-word";
    word.textContent = "Theme: ";
    button.append(word, "");
    function label() {
      word.nextSibling.data = theme;
    }
    label();
    button.addEventListener("click", function () {
      theme = ORDER[(ORDER.indexOf(theme) + 1) % ORDER.length];
      apply(theme);
      label();
      try {
        localStorage.setItem(KEY, theme);
      } catch (error) {
        /* Storage is closed: the choice lasts for this page. */
      }
    });
    place.appendChild(button);
  }

  // Started late where the page for a wrong address had to mend its links first.
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", addButton);
  else addButton();

  /* If the walkthrough script did not arrive, show every step rather than only the first. */
  window.addEventListener("load", function () {
    if (document.querySelector(".wt:not([data-ready])")) root.classList.remove("js");
  });
})();
