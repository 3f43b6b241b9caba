// Fovea - the objects in a picture, from C++.
// SPDX-License-Identifier: Apache-2.0
#include <fovea/fovea.h>

#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>

using Model = std::unique_ptr<fovea_model, decltype(&fovea_model_close)>;
using Result = std::unique_ptr<fovea_result, decltype(&fovea_result_free)>;

// Throws what a call of Fovea says when it fails.
template <typename Call> void check(Call call) {
  char *message = nullptr;
  if (call(&message) == fovea_status_ok) return;
  std::string text = message;
  fovea_free(message);
  throw std::runtime_error(text);
}

int main(int count, char **arguments) try {
  if (count < 2) throw std::invalid_argument("usage: detect PICTURE [MODEL]");
  fovea_model *opened = nullptr;
  check([&](char **message) {
    return count > 2 ? fovea_model_open(arguments[2], nullptr, &opened, message)
                     : fovea_model_open_codes_and_text(nullptr, &opened, message);
  });
  Model model(opened, fovea_model_close);
  fovea_result *found = nullptr;
  check([&](char **message) {
    return fovea_detect_file(model.get(), arguments[1], nullptr, &found, message);
  });
  Result result(found, fovea_result_free);
  for (size_t i = 0; const fovea_object *object = fovea_result_object(found, i); i++) {
    std::printf("%s %.6f %.3f %.3f %.3f %.3f\n", object->label, object->confidence, object->x,
                object->y, object->width, object->height);
  }
} catch (const std::exception &error) {
  return std::fprintf(stderr, "%s\n", error.what()), 1;
}
