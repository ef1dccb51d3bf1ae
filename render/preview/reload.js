/*
 * Sent by the preview server alone, never part of a built site: reloads the page when another site is in place, and
 * shows what the last build found over it.
 */
(function () {
  "use strict";
  var site = document.currentScript.dataset.site;
  var box = null;

  function show(problems) {
    if (box) box.remove();
    box = null;
    if (!problems.length) return;
    box = document.createElement("pre");
    box.id = "preview-problems";
    box.setAttribute("role", "alert");
    box.textContent = "The build found " + problems.length + " to fix; this page is the last good one.\n\n" +
      problems.join("\n\n");
    // The page's policy forbids style attributes in its markup; styles set by script are allowed.
    Object.assign(box.style, {
      position: "fixed", inset: "auto 0 0 0", zIndex: "1000", margin: "0", padding: "1rem 1.25rem", maxHeight: "60vh",
      overflow: "auto", background: "#2a0f0f", color: "#ffe9e4", font: "13px/1.5 monospace", whiteSpace: "pre-wrap",
      borderTop: "4px solid #d7553f"
    });
    document.body.appendChild(box);
  }

  new EventSource("/.preview/events").onmessage = function (event) {
    var news = JSON.parse(event.data);
    if (news.busy) return;
    if (news.site !== site) location.reload();
    else show(news.problems);
  };
})();
