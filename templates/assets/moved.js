/* Goes on from an old address: a page that moved (keeping the fragment), or a part that bears another name now. */
(function () {
  "use strict";
  var page = document.querySelector("a[data-moved-page]");
  if (page) {
    location.replace(page.href.split("#")[0] + (location.hash || page.hash));
    return;
  }

  function follow() {
    var old = location.hash.slice(1);
    var item = old && document.getElementById(decodeURIComponent(old));
    var link = item && item.closest(".moved li") && item.querySelector("a");
    if (!link) return;
    var target = link.getAttribute("href").charAt(0) === "#" && document.getElementById(link.hash.slice(1));
    if (target) {
      var note = document.createElement("p");
      note.className = "moved-note";
      note.setAttribute("role", "status");
      note.textContent = "You followed a link to #" + old + ". That part is now this one.";
      document.querySelectorAll(".moved-note").forEach(function (other) { other.remove(); });
      target.before(note);
    }
    location.replace(link.href);
  }

  window.addEventListener("hashchange", follow);
  follow();
})();
