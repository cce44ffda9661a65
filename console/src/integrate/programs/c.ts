import { pasted, type Program } from './program.js';

export const c: Program = {
  file: 'web_shop.c',
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
  source: String.raw`#define _POSIX_C_SOURCE 200112L
#include <license_management_client.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const char *const KEYS[] = {
    "{\"kty\":\"OKP\",\"crv\":\"Ed25519\",\"x\":\"CURRENT\"}",
    "{\"kty\":\"OKP\",\"crv\":\"Ed25519\",\"x\":\"NEXT\"}",
};

static void report(lmc_error *error) {
  if (error != NULL) fprintf(stderr, "%s\n", lmc_error_message(error));
  lmc_error_free(error);
}

int main(void) {
  char name[101] = "";
  gethostname(name, sizeof name - 1);
  const lmc_options options = {
      .size = sizeof options,
      .service = "https://licenses.example",
      .issuer = "ISSUER",
      .product = "com.example.web-shop",
      .keys = KEYS,
      .key_count = 2,
      .folder = "/var/lib/web-shop",
      .machine_name = name,
  };
  lmc_license *license = NULL;
  report(lmc_license_new(&options, &license));
  if (license == NULL) return EXIT_FAILURE;
  lmc_status *status = NULL;
  report(lmc_license_ensure(license, getenv("LICENSE_KEY"), &status));
  const bool is_licensed = lmc_status_is_valid(status);
  if (is_licensed) {
    lmc_keep_fresh *keep_fresh = lmc_license_keep_fresh(license, NULL, NULL);
    if (lmc_status_perpetual(status)) puts("Licensed");
    else printf("Licensed until %s\n", lmc_status_expires_at(status));
    lmc_keep_fresh_stop(keep_fresh);
  } else if (status != NULL) {
    fprintf(stderr, "This program is not licensed: %s\n", lmc_status_state(status));
  }
  lmc_status_free(status);
  lmc_license_free(license);
  return is_licensed ? EXIT_SUCCESS : EXIT_FAILURE;
}
`,
  fill: pasted,
};
