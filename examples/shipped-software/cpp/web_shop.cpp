// A licensed program, with the objects of the library in smart pointers. The environment stands in for constants: paste the response
// of GET /signing-keys into your source, because anyone who can change it at run time can license your software.
#include <license_management_client.h>

#include <array>
#include <cstdlib>
#include <iostream>
#include <memory>

namespace {

template <auto Free>
struct Freed {
  template <typename Object>
  void operator()(Object *object) const { Free(object); }
};

using License = std::unique_ptr<lmc_license, Freed<lmc_license_free>>;
using Status = std::unique_ptr<lmc_status, Freed<lmc_status_free>>;
using Error = std::unique_ptr<lmc_error, Freed<lmc_error_free>>;

}  // namespace

int main() {
  const std::array<const char *, 2> keys{std::getenv("CURRENT_KEY"), std::getenv("NEXT_KEY")};
  lmc_options options{};
  options.size = sizeof options;
  options.service = std::getenv("SERVICE");
  options.issuer = std::getenv("ISSUER");
  options.product = "com.example.web-shop";
  options.keys = keys.data();
  options.key_count = keys.size();
  options.folder = std::getenv("FOLDER");
  lmc_license *made = nullptr;
  if (const Error error{lmc_license_new(&options, &made)}) {
    std::cerr << lmc_error_message(error.get()) << '\n';
    return EXIT_FAILURE;
  }
  const License license{made};

  // The certificate of each start is new, so a revocation arrives at the next one.
  const Status refreshed{lmc_license_refresh(license.get())};
  if (const Error error{lmc_license_ensure(license.get(), std::getenv("KEY"), nullptr)}) {
    std::cerr << lmc_error_message(error.get()) << '\n';
  }

  const Status status{lmc_license_status(license.get())};
  if (!lmc_status_is_valid(status.get())) {
    const char *reason = lmc_status_reason(status.get());
    std::cerr << "Not licensed: " << lmc_status_state(status.get()) << " (" << (reason ? reason : "no reason") << ").\n";
    return EXIT_FAILURE;
  }
  std::cout << "Licensed until " << lmc_status_valid_until(status.get()) << " for";
  for (std::size_t index = 0; index < lmc_status_service_count(status.get()); ++index) {
    std::cout << (index == 0 ? " " : " and ") << lmc_status_service(status.get(), index);
  }
  std::cout << ".\n";
  return EXIT_SUCCESS;
}
