/* Copy buttons for code and commands, and permalinks on headings. All of it is made here: without script the code can
 * be selected and the contents list links to every heading. */
(function () {
  "use strict";
  var live = document.createElement("p");
  live.className = "visually-hidden";
  live.setAttribute("role", "status");
  document.body.append(live);

  /* The old way, for pages that are no secure context. */
  function bySelection(text) {
    var area = document.createElement("textarea");
    area.value = text;
    area.className = "visually-hidden";
    area.setAttribute("readonly", "");
    document.body.append(area);
    area.select();
    var done = document.execCommand("copy");
    area.remove();
    return done ? Promise.resolve() : Promise.reject(new Error("not copied"));
  }

  function copy(text) {
    if (!navigator.clipboard) return bySelection(text);
    return navigator.clipboard.writeText(text).catch(function () { return bySelection(text); });
  }

  function say(button, word) {
    var before = button.dataset.word || button.textContent;
    button.dataset.word = before;
    button.textContent = word;
    live.textContent = word;
    clearTimeout(button.timer);
    button.timer = setTimeout(function () {
      button.textContent = before;
      live.textContent = "";
    }, 2000);
  }

  document.querySelectorAll("main pre").forEach(function (pre) {
    if (pre.closest(".wt")) return; /* a drawing of a state, not code to take away */
    var box = document.createElement("div");
    box.className = "copyable";
    pre.before(box);
    var button = document.createElement("button");
    button.type = "button";
    button.className = "copy-button";
    button.textContent = "Copy";
    button.setAttribute("aria-label", "Copy: " + (pre.getAttribute("aria-label") || "code"));
    button.addEventListener("click", function () {
      copy(pre.textContent.replace(/\n$/, "")).then(function () {
        say(button, "Copied");
      }, function () {
        say(button, "Not copied");
      });
    });
    box.append(pre, button);
  });

  document.querySelectorAll(".prose h2[id], .prose h3[id]").forEach(function (heading) {
    if (heading.closest(".wt, .metric-panel")) return;
    var link = document.createElement("a");
    link.className = "permalink";
    link.href = "#" + heading.id;
    link.textContent = "#";
    link.setAttribute("aria-label", "Link to “" + heading.textContent.trim() + "”");
    link.addEventListener("click", function () {
      copy(location.href.split("#")[0] + "#" + heading.id).then(function () {
        live.textContent = "Link copied";
      }, function () {});
    });
    heading.append(link);
  });
})();
