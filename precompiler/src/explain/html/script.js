"use strict";
(function () {
  var root = document.documentElement;
  var rows = Array.prototype.slice.call(document.querySelectorAll("article"));
  var pinned = null;

  /* Dark or light. */
  document.getElementById("theme").addEventListener("click", function () {
    var dark = root.classList.contains("dark") ||
      (!root.classList.contains("light") && matchMedia("(prefers-color-scheme: dark)").matches);
    root.classList.toggle("dark", !dark);
    root.classList.toggle("light", dark);
  });

  /* Which rows are shown. */
  var find = document.getElementById("find");
  var boxes = Array.prototype.slice.call(document.querySelectorAll(".pick input"));
  function filter() {
    var wanted = {}, text = find.value.trim().toLowerCase();
    boxes.forEach(function (box) { wanted[box.dataset.verdict] = box.checked; });
    document.querySelectorAll(".part").forEach(function (part) {
      var any = false;
      part.querySelectorAll("article").forEach(function (row) {
        var show = wanted[part.dataset.verdict] &&
          (text === "" || row.dataset.words.toLowerCase().indexOf(text) >= 0);
        row.classList.toggle("away", !show);
        any = any || show;
      });
      part.classList.toggle("away", !any);
    });
  }
  boxes.forEach(function (box) { box.addEventListener("change", filter); });
  find.addEventListener("input", filter);
  filter();

  /* The lines a row speaks of. */
  function hits(row) {
    return row.dataset.hits.split(" ").filter(Boolean).map(function (one) {
      var parts = one.split(":");
      return { line: document.getElementById(parts[0]), mark: parts[1] };
    }).filter(function (one) { return one.line; });
  }
  function clear() {
    document.querySelectorAll(".hit").forEach(function (line) {
      line.className = line.className.replace(/ ?hit(-[a-z]+)?/g, "");
    });
  }
  function show(row) {
    clear();
    if (!row) { return; }
    hits(row).forEach(function (one) {
      one.line.classList.add("hit", "hit-" + one.mark);
    });
  }
  function visible(line) {
    var box = line.getBoundingClientRect();
    return box.top > 90 && box.bottom < innerHeight;
  }
  rows.forEach(function (row) {
    row.addEventListener("mouseenter", function () { show(row); });
    row.addEventListener("mouseleave", function () { show(pinned); });
    row.addEventListener("focus", function () { show(row); });
    function pin() {
      if (pinned) { pinned.classList.remove("on"); }
      pinned = pinned === row ? null : row;
      if (pinned) {
        pinned.classList.add("on");
        var all = hits(row);
        if (all.length && !all.some(function (one) { return visible(one.line); })) {
          all[0].line.scrollIntoView({ block: "center", behavior: "smooth" });
        }
      }
      show(pinned);
    }
    row.addEventListener("click", function (event) {
      if (!event.target.closest("a, summary")) { pin(); }
    });
    row.addEventListener("keydown", function (event) {
      if (event.key === "Enter" && event.target === row) { pin(); }
    });
  });

  /* The rows that speak of a line. */
  document.querySelectorAll(".l").forEach(function (line) {
    line.addEventListener("click", function (event) {
      if (event.target.closest("a")) { return; }
      document.querySelectorAll(".related").forEach(function (row) { row.classList.remove("related"); });
      var first = true;
      rows.forEach(function (row) {
        if (row.dataset.hits.split(" ").some(function (one) { return one.split(":")[0] === line.id; })) {
          row.classList.add("related");
          if (first && !row.classList.contains("away")) {
            row.scrollIntoView({ block: "nearest", behavior: "smooth" });
            first = false;
          }
        }
      });
    });
  });
})();
