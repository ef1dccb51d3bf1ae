/*
 * Opens what the page already holds beside its trigger: how a number was made, a metric's panel, a concept's
 * summary. The triggers are plain links, which is what they stay without script or with a modifier key.
 */
(function () {
  "use strict";
  if (!("popover" in HTMLElement.prototype)) return;
  var opener = null;
  var timer = 0;

  function plain(event) {
    return event.button === 0 && !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey);
  }

  /* A copy without ids, so that the page keeps each id once. */
  function copy(source) {
    var box = document.createElement("div");
    Array.from(source.cloneNode(true).childNodes).forEach(function (child) {
      box.appendChild(child);
    });
    box.querySelectorAll("[id], [aria-labelledby]").forEach(function (node) {
      node.removeAttribute("id");
      node.removeAttribute("aria-labelledby");
    });
    return box;
  }

  function place(pop, trigger) {
    var at = trigger.getClientRects()[0] || trigger.getBoundingClientRect();
    var gap = 8;
    var left = Math.min(at.left, document.documentElement.clientWidth - pop.offsetWidth - gap);
    var below = at.bottom + gap;
    var fits = below + pop.offsetHeight <= window.innerHeight - gap;
    var top = fits ? below : Math.max(gap, at.top - gap - pop.offsetHeight);
    pop.style.left = Math.max(gap, left) + "px";
    pop.style.top = (fits || top > gap ? top : gap) + "px";
  }

  /* The panel: one for the page, a dialog with a name, closed by Escape, by its button, or from outside. */
  var pop = document.createElement("div");
  pop.className = "pop";
  pop.setAttribute("popover", "auto");
  pop.setAttribute("role", "dialog");
  pop.addEventListener("toggle", function (event) {
    if (event.newState !== "closed" || !opener) return;
    opener.setAttribute("aria-expanded", "false");
    if (document.activeElement === document.body || pop.contains(document.activeElement)) opener.focus();
    opener = null;
  });
  document.body.appendChild(pop);

  function open(trigger, source, title) {
    if (pop.matches(":popover-open")) pop.hidePopover();
    hidePreview();
    var bar = document.createElement("div");
    bar.className = "pop-bar";
    var heading = document.createElement("p");
    heading.className = "pop-title";
    heading.textContent = title;
    var close = document.createElement("button");
    close.type = "button";
    close.className = "pop-close";
    close.textContent = "Close";
    close.addEventListener("click", function () { pop.hidePopover(); });
    bar.append(heading, close);
    pop.replaceChildren(bar, copy(source));
    pop.setAttribute("aria-label", title);
    pop.showPopover();
    place(pop, trigger);
    opener = trigger;
    trigger.setAttribute("aria-expanded", "true");
    close.focus({ preventScroll: true });
  }

  function wire(selector, find, title) {
    document.querySelectorAll(selector).forEach(function (link) {
      var source = find(link);
      if (!source) return;
      link.setAttribute("aria-haspopup", "dialog");
      link.setAttribute("aria-expanded", "false");
      link.addEventListener("click", function (event) {
        if (!plain(event)) return;
        event.preventDefault();
        open(link, source, title);
      });
    });
  }

  wire("a.num[data-num]", function (link) {
    return document.getElementById(link.dataset.num);
  }, "How this number was made");
  wire("a.metric-ref", function (link) {
    return document.getElementById((link.getAttribute("href") || "").split("#")[1] || "");
  }, "Metric");

  /* Summaries of concepts: on hover or keyboard focus; they can be pointed at and Escape takes them away. */
  var preview = document.createElement("div");
  preview.className = "pop pop--preview";
  preview.setAttribute("popover", "manual");
  preview.setAttribute("role", "tooltip");
  preview.id = "concept-preview";
  document.body.appendChild(preview);

  function hidePreview() {
    clearTimeout(timer);
    if (preview.matches(":popover-open")) preview.hidePopover();
  }

  function later(action, wait) {
    clearTimeout(timer);
    timer = setTimeout(action, wait);
  }

  document.querySelectorAll("a.xref[data-preview]").forEach(function (link) {
    var source = document.getElementById("preview-" + link.dataset.preview);
    if (!source) return;
    function show() {
      if (pop.matches(":popover-open") && !pop.contains(link)) return;
      preview.replaceChildren(copy(source));
      if (!preview.matches(":popover-open")) preview.showPopover();
      place(preview, link);
    }
    link.addEventListener("mouseenter", function () { later(show, 250); });
    link.addEventListener("mouseleave", function () { later(hidePreview, 200); });
    link.addEventListener("focus", function () { if (link.matches(":focus-visible")) show(); });
    link.addEventListener("blur", hidePreview);
  });
  preview.addEventListener("mouseenter", function () { clearTimeout(timer); });
  preview.addEventListener("mouseleave", function () { later(hidePreview, 200); });
  document.addEventListener("keydown", function (event) {
    if (event.key === "Escape" && preview.matches(":popover-open")) {
      hidePreview();
      event.stopPropagation();
    }
  }, true);
  window.addEventListener("scroll", hidePreview, { passive: true });

  /* A link to a number's entry inside a closed fold opens the fold. */
  function unfold() {
    var target = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    for (var node = target; node; node = node.parentElement) if (node.tagName === "DETAILS") node.open = true;
    if (target && target.closest("details")) target.scrollIntoView({ block: "start" });
  }
  window.addEventListener("hashchange", unfold);
  unfold();
})();
