// A licensed program. The environment stands in for constants: paste the response of GET /signing-keys into your source, because
// anyone who can change it at run time can license your software.
#include <license_management_client.h>
#include <stdio.h>
#include <stdlib.h>

static void report(lmc_error *error) {
  if (error != NULL) fprintf(stderr, "%s\n", lmc_error_message(error));
  lmc_error_free(error);
}

int main(void) {
  const char *keys[] = {getenv("CURRENT_KEY"), getenv("NEXT_KEY")};
  const lmc_options options = {
      .size = sizeof options,
      .service = getenv("SERVICE"),
      .issuer = getenv("ISSUER"),
      .product = "com.example.web-shop",
      .keys = keys,
      .key_count = 2,
      .folder = getenv("FOLDER"),
  };
  lmc_license *license = NULL;
  lmc_error *error = lmc_license_new(&options, &license);
  if (error != NULL) {
    report(error);
    return EXIT_FAILURE;
  }

  // The certificate of each start is new, so a revocation arrives at the next one.
  lmc_status_free(lmc_license_refresh(license));
  report(lmc_license_ensure(license, getenv("KEY"), NULL));
  lmc_status *status = lmc_license_status(license);

  const int is_valid = lmc_status_is_valid(status);
  if (is_valid) {
    printf("Licensed until %s for", lmc_status_valid_until(status));
    for (size_t index = 0; index < lmc_status_service_count(status); index++) {
      printf("%s %s", index == 0 ? "" : " and", lmc_status_service(status, index));
    }
    puts(".");
  } else {
    const char *reason = lmc_status_reason(status);
    fprintf(stderr, "Not licensed: %s (%s).\n", lmc_status_state(status), reason == NULL ? "no reason" : reason);
  }
  lmc_status_free(status);
  lmc_license_free(license);
  return is_valid ? EXIT_SUCCESS : EXIT_FAILURE;
}
