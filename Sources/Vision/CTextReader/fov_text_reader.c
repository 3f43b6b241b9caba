// Fovea - Tesseract, asked in a process of its own.
// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "fov_text_reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fov_text_question.h"

#ifdef FOV_HAVE_TESSERACT
#include "tesseract_shim.h"

static fov_tesseract_functions tess;
static TessBaseAPI *engine;
// What the engine was made for.
static char *loaded;

static bool refuse(fov_reader_answer *answer, char reason, const char *words) {
  fov_reader_append(answer, &reason, 1);
  fov_reader_append(answer, words, strlen(words));
  return false;
}

static void append_number(fov_reader_answer *answer, int32_t number) {
  fov_reader_append(answer, &number, sizeof number);
}

static void append_text(fov_reader_answer *answer, const char *text) {
  append_number(answer, (int32_t)strlen(text));
  fov_reader_append(answer, text, strlen(text));
}

// MARK: The engine

static bool open_library(fov_reader_answer *answer) {
  static bool is_open;
  if (is_open) return true;
  // One thread is faster per core, and the caller decides how many pictures are read at once.
  setenv("OMP_THREAD_LIMIT", "1", 1);
  const char *failure = fov_tesseract_open(&tess);
  if (failure != NULL) return refuse(answer, 'L', failure);
  is_open = true;
  return true;
}

// The library reads further words from a file. No file may be written here: it gets the end of a
// pipe, which holds all of them, as parameters are shorter than a pipe. Returns a descriptor, or
// -1.
static int words_file(const char *words, char *out_path, size_t size) {
  int ends[2];
  const size_t length = strlen(words);
  if (length == 0 || pipe(ends) != 0) return -1;
  const bool is_written = write(ends[1], words, length) == (ssize_t)length;
  close(ends[1]);
  if (!is_written) {
    close(ends[0]);
    return -1;
  }
  snprintf(out_path, size, "/dev/fd/%d", ends[0]);
  return ends[0];
}

// The first of the languages that was not loaded; NULL if all were.
static char *missing_language(const char *languages) {
  char **names = tess.TessBaseAPIGetLoadedLanguagesAsVector(engine);
  char *list = strdup(languages), *rest = list, *missing = NULL;
  for (char *name; missing == NULL && (name = strsep(&rest, "+")) != NULL;) {
    bool found = false;
    for (char **other = names; other != NULL && *other != NULL; other++) {
      found = found || strcmp(name, *other) == 0;
    }
    if (!found) missing = strdup(name);
  }
  free(list);
  if (names != NULL) tess.TessDeleteTextArray(names);
  return missing;
}

static void end_engine(void) {
  if (engine != NULL) {
    tess.TessBaseAPIEnd(engine);
    tess.TessBaseAPIDelete(engine);
  }
  engine = NULL;
  free(loaded);
  loaded = NULL;
}

static bool make_engine(const fov_text_question *question, fov_reader_answer *answer) {
  char *key = NULL;
  const char *languages = question->texts[fov_text_languages];
  const char *folder = question->texts[fov_text_folder];
  const char *further = question->texts[fov_text_words];
  if (asprintf(&key, "%u\n%s\n%s\n%s", question->flags, languages, folder, further) < 0) {
    return refuse(answer, 'Q', "no memory");
  }
  if (loaded != NULL && strcmp(loaded, key) == 0) {
    free(key);
    return true;
  }
  end_engine();
  char path[32] = "";
  const int words = words_file(further, path, sizeof path);
  const char *dictionary = question->flags & fov_text_uses_dictionary ? "1" : "0";
  char *names[] = {"load_system_dawg", "load_freq_dawg", "load_number_dawg", "load_punc_dawg",
                   "user_words_file"};
  char *values[] = {(char *)dictionary, (char *)dictionary, (char *)dictionary, (char *)dictionary,
                    path};
  engine = tess.TessBaseAPICreate();
  const int status =
      tess.TessBaseAPIInit4(engine, folder[0] != 0 ? folder : NULL, languages, OEM_LSTM_ONLY, NULL,
                            0, names, values, words >= 0 ? 5 : 4, false);
  if (words >= 0) close(words);
  char *missing = status == 0 ? missing_language(languages) : NULL;
  if (status != 0 || missing != NULL) {
    refuse(answer, 'D', missing != NULL ? missing : languages);
    free(missing);
    free(key);
    end_engine();
    return false;
  }
  loaded = key;
  return true;
}

// MARK: Words

static void append_box(fov_reader_answer *answer, const TessPageIterator *page,
                       TessPageIteratorLevel level) {
  int left = 0, top = 0, right = 0, bottom = 0;
  tess.TessPageIteratorBoundingBox(page, level, &left, &top, &right, &bottom);
  append_number(answer, left);
  append_number(answer, top);
  append_number(answer, right);
  append_number(answer, bottom);
}

static void append_word(fov_reader_answer *answer, TessResultIterator *results,
                        const TessPageIterator *page) {
  append_number(answer, 1);
  const bool begins_line = tess.TessPageIteratorIsAtBeginningOf(page, RIL_TEXTLINE);
  append_number(answer, begins_line ? fov_text_begins_line : 0);
  append_box(answer, page, RIL_WORD);
  const float confidence = tess.TessResultIteratorConfidence(results, RIL_WORD);
  fov_reader_append(answer, &confidence, sizeof confidence);
  char *text = tess.TessResultIteratorGetUTF8Text(results, RIL_WORD);
  append_text(answer, text != NULL ? text : "");
  if (text != NULL) tess.TessDeleteText(text);
}

static void append_words(fov_reader_answer *answer, TessResultIterator *results) {
  TessPageIterator *page = tess.TessResultIteratorGetPageIterator(results);
  tess.TessPageIteratorBegin(page);
  do {
    // A block without text has no symbols, though there is one to stand at.
    char *text = tess.TessResultIteratorGetUTF8Text(results, RIL_SYMBOL);
    if (text == NULL) continue;
    if (tess.TessPageIteratorIsAtBeginningOf(page, RIL_WORD)) append_word(answer, results, page);
    append_number(answer, 2);
    append_box(answer, page, RIL_SYMBOL);
    append_text(answer, text);
    tess.TessDeleteText(text);
  } while (tess.TessPageIteratorNext(page, RIL_SYMBOL));
}

// Reads the text of a picture that is asked about.
static bool read_text(const fov_text_question *question, fov_reader_answer *answer) {
  if (!open_library(answer) || !make_engine(question, answer)) return false;
  const int width = (int)question->width, height = (int)question->height;
  tess.TessBaseAPISetPageSegMode(engine, (TessPageSegMode)question->mode);
  tess.TessBaseAPISetImage(engine, question->pixels, width, height, 1, width);
  // Letters have the size that they have on paper at this resolution.
  tess.TessBaseAPISetSourceResolution(engine, 150);
  if (tess.TessBaseAPIRecognize(engine, NULL) == 0) {
    TessResultIterator *results = tess.TessBaseAPIGetIterator(engine);
    if (results != NULL) append_words(answer, results);
    if (results != NULL) tess.TessResultIteratorDelete(results);
  }
  append_number(answer, 0);
  tess.TessBaseAPIClear(engine);
  return true;
}
#else
static bool read_text(const fov_text_question *question, fov_reader_answer *answer) {
  (void)question;
  fov_reader_append(answer, "T", 1);
  return false;
}
#endif

static bool answer_question(const fov_reader_question *bytes, fov_reader_answer *answer) {
  fov_text_question question;
  bool is_read = fov_text_question_read(bytes, &question);
  if (is_read) {
    is_read = read_text(&question, answer);
  } else {
    fov_reader_append(answer, "Q", 1);
  }
  fov_text_question_release(&question);
  return is_read;
}

// After an abort the engine is in no state to go on.
static const fov_reader_kind kind = {"text", answer_question, false};

const fov_reader_kind *fov_text_reader(void) { return &kind; }

__attribute__((constructor)) static void serve(void) { fov_reader_serve(&kind); }
