/*
 * Starts the worker that keeps pages for reading offline, on a server only: from disk nothing is needed. It comes with
 * the second page a reader opens, so that a first visit transfers the page and no more.
 */
(function () {
  "use strict";
  if (!/^https?:$/.test(location.protocol) || !navigator.serviceWorker) return;
  var root = new URL("..", document.currentScript.src).href;
  var before = document.referrer.indexOf(root) === 0 ? [document.referrer] : [];

  // Only when this page was begun under the worker of the last build: it is read again as one of the new build.
  if (navigator.serviceWorker.controller) {
    navigator.serviceWorker.addEventListener("controllerchange", function () { location.reload(); });
  }

  window.addEventListener("load", function () {
    navigator.serviceWorker.getRegistration(root).then(function (known) {
      if (!before.length && !(known && known.scope === root)) return null;
      return navigator.serviceWorker.register(root + "worker.js", { scope: root, updateViaCache: "none" });
    }).then(function (registration) {
      return registration && navigator.serviceWorker.ready.then(function (ready) {
        if (ready.scope === root) ready.active.postMessage({ visited: [location.href].concat(before) });
      });
    }).catch(function () { /* No worker here: every page works without. */ });
  });
})();
