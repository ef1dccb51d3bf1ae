/*
 * The page for a wrong address. Mends its links where the site does not lie at the host's root, and names the pages
 * whose words come nearest to those of the address. Needs no index: the page lists every page itself.
 */
(function () {
  "use strict";
  var lost = document.querySelector(".lost");
  if (!lost || lost.dataset.ready) return;
  lost.dataset.ready = "";
  var root = new URL("..", document.currentScript.src).href;
  var IGNORED = ["index", "html", "htm", "concepts", "concept", "data", "404"];

  /* Links that begin at the host's root, when this script came from elsewhere: from disk, or from below a path. */
  function mend() {
    var written = lost.dataset.root;
    if (!written || new URL(written, location.href).href === root) return;
    document.querySelectorAll("[href], [src]").forEach(function (node) {
      var name = node.hasAttribute("href") ? "href" : "src";
      var value = node.getAttribute(name);
      if (value.indexOf(written) !== 0 || /notfound\.js$/.test(value)) return;
      var right = root + value.slice(written.length);
      if (node.tagName !== "SCRIPT") return node.setAttribute(name, right);
      var again = document.createElement("script");
      again.src = right;
      document.head.appendChild(again);
    });
  }

  function words(text) {
    return text.toLowerCase().split(/[^\p{L}\p{N}]+/u).filter(function (word) {
      return word && IGNORED.indexOf(word) < 0;
    });
  }

  /* Edits between two words: one row of the Levenshtein table at a time. */
  function distance(a, b) {
    var row = Array.from({ length: b.length + 1 }, function (_, j) { return j; });
    for (var i = 1; i <= a.length; i++) {
      var corner = row[0];
      row[0] = i;
      for (var j = 1; j <= b.length; j++) {
        var above = row[j];
        row[j] = Math.min(above + 1, row[j - 1] + 1, corner + (a[i - 1] === b[j - 1] ? 0 : 1));
        corner = above;
      }
    }
    return row[b.length];
  }

  /* 0 for unlike words, 1 for the same word. */
  function likeness(asked, known) {
    if (asked === known) return 1;
    var shorter = Math.min(asked.length, known.length);
    if (shorter >= 3 && (known.indexOf(asked) === 0 || asked.indexOf(known) === 0)) return 0.8;
    var same = 0;
    while (same < shorter && asked[same] === known[same]) same++;
    var stem = same / Math.max(asked.length, known.length); // policy, policies
    if (same >= 4 && stem >= 0.6) return 0.9 * stem;
    var edits = distance(asked, known);
    return shorter >= 4 && edits <= (shorter > 6 ? 2 : 1) ? 0.9 - edits / shorter : 0;
  }

  /* The words, and neighbours as one word: "bm-25" is meant as "bm25". */
  function joined(asked) {
    return asked.concat(asked.slice(1).map(function (word, place) { return asked[place] + word; }));
  }

  function nearest(asked) {
    return Array.from(lost.querySelectorAll(".lost-all a")).map(function (link) {
      var known = Array.from(new Set(words(link.dataset.words + " " + link.textContent)));
      var sum = asked.reduce(function (total, word) {
        return total + Math.max.apply(null, known.map(function (other) { return likeness(word, other); }).concat(0));
      }, 0);
      var behind = link.closest("[aria-labelledby=all-datasets]") ? 0.25 : 0; // a concept before its dataset
      return { link: link, score: sum - behind - known.length / 1000 };
    }).filter(function (found) {
      return found.score > 0.3;
    }).sort(function (a, b) {
      return b.score - a.score;
    }).slice(0, 5);
  }

  function decoded(path) {
    try {
      return decodeURIComponent(path);
    } catch (error) {
      return path;
    }
  }

  function item(link) {
    var entry = document.createElement("li");
    entry.appendChild(link);
    return entry;
  }

  function suggest() {
    var path = decoded(location.pathname);
    var base = decoded(new URL(root).pathname);
    var asked = words(path.indexOf(base) === 0 ? path.slice(base.length) : path);
    if (!asked.length) return;
    var list = lost.querySelector(".lost-near ul");
    nearest(joined(asked)).forEach(function (found) {
      list.appendChild(item(found.link.cloneNode(true)));
    });
    var search = document.createElement("a");
    search.href = root + "search/index.html?q=" + encodeURIComponent(asked.join(" "));
    search.textContent = "Search for “" + asked.join(" ") + "”";
    list.appendChild(item(search));
    lost.querySelector(".lost-near").hidden = false;
  }

  mend();
  suggest();
})();
