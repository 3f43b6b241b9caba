// Fovea - codes read by zxing-cpp, in a process of its own.
// SPDX-License-Identifier: Apache-2.0
#include "fov_codes.h"

#ifdef FOV_HAVE_ZXING

#define ZX_USE_UTF8
#include <ZXing/ReadBarcode.h>
#include <dlfcn.h>

#include <cstring>
#include <exception>
#include <string>

namespace {

using ZXing::BarcodeFormat;
using ZXing::Result;

// The functions of the library, by the names that the compiler gave them. A member function is
// called with its object as the first argument, as the C++ ABI of Linux has it.
struct Library {
  ZXing::Results (*read)(const ZXing::ImageView &, const ZXing::DecodeHints &);
  std::string (*text)(const Result *);
  const ZXing::ByteArray &(*bytes)(const Result *);
  ZXing::ContentType (*content)(const Result *);
  std::string (*identifier)(const Result *);
};

template <typename Function> bool find(void *library, const char *name, Function *out_function) {
  void *found = dlsym(library, name);
  std::memcpy(out_function, &found, sizeof found);
  return found != nullptr;
}

// Opens the library once. Returns NULL, with words in the answer, where it cannot be used.
const Library *open_library(fov_reader_answer *answer) {
  static Library functions;
  static bool is_open;
  if (is_open) return &functions;
  void *library = dlopen("libZXing.so.2", RTLD_NOW | RTLD_LOCAL);
  if (library != nullptr &&
      find(library, "_ZN5ZXing12ReadBarcodesERKNS_9ImageViewERKNS_11DecodeHintsE",
           &functions.read) &&
      find(library, "_ZNK5ZXing6Result4utf8B5cxx11Ev", &functions.text) &&
      find(library, "_ZNK5ZXing6Result5bytesEv", &functions.bytes) &&
      find(library, "_ZNK5ZXing6Result11contentTypeEv", &functions.content) &&
      find(library, "_ZNK5ZXing6Result19symbologyIdentifierB5cxx11Ev", &functions.identifier)) {
    is_open = true;
    return &functions;
  }
  const char *words = dlerror();
  if (words == nullptr) words = "libZXing.so.2 cannot be opened";
  fov_reader_append(answer, words, std::strlen(words));
  return nullptr;
}

struct FormatPair {
  fov_codes_format own;
  BarcodeFormat theirs;
};

constexpr FormatPair formats[] = {
    {fov_codes_format_aztec, BarcodeFormat::Aztec},
    {fov_codes_format_codabar, BarcodeFormat::Codabar},
    {fov_codes_format_code39, BarcodeFormat::Code39},
    {fov_codes_format_code93, BarcodeFormat::Code93},
    {fov_codes_format_code128, BarcodeFormat::Code128},
    {fov_codes_format_data_bar, BarcodeFormat::DataBar},
    {fov_codes_format_data_bar_expanded, BarcodeFormat::DataBarExpanded},
    {fov_codes_format_data_matrix, BarcodeFormat::DataMatrix},
    {fov_codes_format_ean8, BarcodeFormat::EAN8},
    {fov_codes_format_ean13, BarcodeFormat::EAN13},
    {fov_codes_format_itf, BarcodeFormat::ITF},
    {fov_codes_format_maxi_code, BarcodeFormat::MaxiCode},
    {fov_codes_format_pdf417, BarcodeFormat::PDF417},
    {fov_codes_format_qr, BarcodeFormat::QRCode},
    {fov_codes_format_upca, BarcodeFormat::UPCA},
    {fov_codes_format_upce, BarcodeFormat::UPCE},
    {fov_codes_format_micro_qr, BarcodeFormat::MicroQRCode},
};

ZXing::DecodeHints hints(const fov_codes_parameters &parameters) {
  ZXing::BarcodeFormats chosen;
  for (const FormatPair &pair : formats) {
    if (parameters.formats & pair.own) chosen |= pair.theirs;
  }
  const auto has = [&](uint32_t flag) { return (parameters.flags & flag) != 0; };
  return ZXing::DecodeHints()
      .setFormats(chosen)
      .setTryHarder(has(fov_codes_harder))
      .setTryRotate(has(fov_codes_rotate))
      .setTryDownscale(has(fov_codes_downscale))
      .setMaxNumberOfSymbols(has(fov_codes_one) ? 1 : 0xff)
      .setBinarizer(has(fov_codes_global) ? ZXing::Binarizer::GlobalHistogram
                                          : ZXing::Binarizer::LocalAverage)
      .setTryCode39ExtendedMode(has(fov_codes_full_ascii))
      .setMinLineCount(static_cast<uint8_t>(parameters.lines))
      .setReturnCodabarStartEnd(true)
      .setEanAddOnSymbol(ZXing::EanAddOnSymbol::Read);
}

void append_number(fov_reader_answer *answer, uint32_t number) {
  fov_reader_append(answer, &number, sizeof number);
}

void append_bytes(fov_reader_answer *answer, const void *bytes, size_t count) {
  append_number(answer, static_cast<uint32_t>(count));
  fov_reader_append(answer, bytes, count);
}

void append_result(fov_reader_answer *answer, const Library &library, const Result &result) {
  uint32_t format = 0;
  for (const FormatPair &pair : formats) {
    if (pair.theirs == result.format()) format = pair.own;
  }
  const bool is_binary = library.content(&result) == ZXing::ContentType::Binary;
  append_number(answer, format);
  append_number(answer, (is_binary ? fov_codes_symbol_binary : 0) |
                            (result.isMirrored() ? fov_codes_symbol_mirrored : 0));
  append_number(answer, static_cast<uint32_t>(result.lineCount()));
  for (int i = 0; i < 4; i++) {
    append_number(answer, static_cast<uint32_t>(result.position()[i].x));
    append_number(answer, static_cast<uint32_t>(result.position()[i].y));
  }
  const std::string text = library.text(&result);
  append_bytes(answer, text.data(), text.size());
  const ZXing::ByteArray &bytes = library.bytes(&result);
  append_bytes(answer, bytes.data(), bytes.size());
  const std::string identifier = library.identifier(&result);
  append_bytes(answer, identifier.data(), identifier.size());
}

bool refuse(fov_reader_answer *answer, const char *words) {
  fov_reader_append(answer, words, std::strlen(words));
  return false;
}

bool read_picture(const Library &library, const fov_reader_question &question,
                  fov_reader_answer *answer) {
  fov_codes_parameters parameters;
  if (question.parameter_bytes != sizeof parameters) return refuse(answer, "wrong parameters");
  std::memcpy(&parameters, question.parameters, sizeof parameters);
  const uint64_t pixels = static_cast<uint64_t>(parameters.width) * parameters.height;
  if (pixels == 0 || pixels != question.picture_bytes || parameters.width > INT32_MAX ||
      parameters.height > INT32_MAX) {
    return refuse(answer, "wrong size of the picture");
  }
  std::string inverted;
  const uint8_t *levels = question.picture;
  if (parameters.flags & fov_codes_invert) {
    inverted.assign(reinterpret_cast<const char *>(levels), question.picture_bytes);
    for (char &level : inverted) level = static_cast<char>(~level);
    levels = reinterpret_cast<const uint8_t *>(inverted.data());
  }
  const ZXing::ImageView view(levels, static_cast<int>(parameters.width),
                              static_cast<int>(parameters.height), ZXing::ImageFormat::Lum);
  const ZXing::Results results = library.read(view, hints(parameters));
  append_number(answer, static_cast<uint32_t>(results.size()));
  for (const Result &result : results) append_result(answer, library, result);
  return true;
}

bool answer_question(const fov_reader_question *question, fov_reader_answer *answer) {
  try {
    const Library *library = open_library(answer);
    if (library == nullptr) return false;
    if (question->operation == fov_codes_operation_version) return true;
    return read_picture(*library, *question, answer);
  } catch (const std::exception &error) {
    return refuse(answer, error.what());
  }
}

const fov_reader_kind kind = {"codes", answer_question, true};

__attribute__((constructor)) void serve() { fov_reader_serve(&kind); }

}  // namespace

extern "C" const fov_reader_kind *fov_codes_reader(void) { return &kind; }

#else

extern "C" const fov_reader_kind *fov_codes_reader(void) { return nullptr; }

#endif
