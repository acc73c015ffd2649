// Where WebAssembly's memory cannot grow. malloc() does not return null then, which neither C nor Emscripten's own code would notice
// everywhere: an error of JavaScript ends the call of the core. What the core holds is worth nothing after that; `lacksMemory` says so.
mergeInto(LibraryManager.library, {
  emscripten_resize_heap__deps: ['emscripten_get_heap_max', '$emscripten_realloc_buffer'],
  emscripten_resize_heap: function (wanted) {
    wanted = wanted >>> 0;
    var most = _emscripten_get_heap_max();
    // By a fifth if possible, at most by 96 MB, so that a growing graph does not ask for each page.
    for (var part = 5; wanted <= most && part <= 20; part *= 2) {
      var eager = Math.min(HEAPU8.length * (1 + 1 / part), wanted + (96 << 20));
      var pages = Math.ceil(Math.max(wanted, eager) / 65536);
      if (emscripten_realloc_buffer(Math.min(most, pages * 65536))) return true;
    }
    Module['lacksMemory'] = true;
    throw new RangeError('the memory of WebAssembly cannot grow');
  },
});
