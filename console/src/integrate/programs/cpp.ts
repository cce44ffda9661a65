import { pasted, type Program } from './program.js';

export const cpp: Program = {
  file: 'web_shop.cpp',
  install: {
    details:
      'You need Rust 1.85 or newer to build the library. The README of sdk/c covers other build tools than CMake.',
    blocks: [
      {
        place: 'CMakeLists.txt',
        lines: [
          'add_subdirectory(license-management-service/sdk/c)',
          'target_link_libraries(web-shop PRIVATE license_management_client)',
        ],
      },
    ],
  },
  source: String.raw`#include <license_management_client.h>

#include <array>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <unistd.h>

constexpr std::array<const char *, 2> KEYS{
    R"({"kty":"OKP","crv":"Ed25519","x":"CURRENT"})",
    R"({"kty":"OKP","crv":"Ed25519","x":"NEXT"})",
};

template <auto Free>
struct Freed {
  template <typename Object>
  void operator()(Object *object) const { Free(object); }
};

using License = std::unique_ptr<lmc_license, Freed<lmc_license_free>>;
using Status = std::unique_ptr<lmc_status, Freed<lmc_status_free>>;
using Error = std::unique_ptr<lmc_error, Freed<lmc_error_free>>;
using KeepFresh = std::unique_ptr<lmc_keep_fresh, Freed<lmc_keep_fresh_stop>>;

static void report(const Error &error) {
  if (error) std::cerr << lmc_error_message(error.get()) << '\n';
}

int main() {
  std::array<char, 101> name{};
  gethostname(name.data(), name.size() - 1);
  lmc_options options{};
  options.size = sizeof options;
  options.service = "https://licenses.example";
  options.issuer = "ISSUER";
  options.product = "com.example.web-shop";
  options.keys = KEYS.data();
  options.key_count = KEYS.size();
  options.folder = "/var/lib/web-shop";
  options.machine_name = name.data();
  lmc_license *made = nullptr;
  report(Error{lmc_license_new(&options, &made)});
  if (made == nullptr) return EXIT_FAILURE;
  const License license{made};
  lmc_status *ensured = nullptr;
  report(Error{lmc_license_ensure(made, std::getenv("LICENSE_KEY"), &ensured)});
  if (ensured == nullptr) return EXIT_FAILURE;
  const Status status{ensured};
  if (!lmc_status_is_valid(ensured)) {
    std::cerr << "This program is not licensed: " << lmc_status_state(ensured) << '\n';
    return EXIT_FAILURE;
  }
  const KeepFresh keep_fresh{lmc_license_keep_fresh(made, nullptr, nullptr)};
  std::cout << "Licensed";
  if (!lmc_status_perpetual(ensured)) std::cout << " until " << lmc_status_expires_at(ensured);
  std::cout << '\n';
  return EXIT_SUCCESS;
}
`,
  fill: pasted,
};
