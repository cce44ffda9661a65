#include <license_management_client.h>
#include <stdio.h>
#include <stdlib.h>

int main(int count, char **args) {
  if (count != 8) return EXIT_FAILURE;
  const char *const keys[] = {args[6], args[7]};
  const lmc_options options = {
      .size = sizeof options,
      .service = "https://licenses.example",
      .issuer = args[2],
      .product = args[3],
      .keys = keys,
      .key_count = 2,
      .folder = args[1],
      .fingerprint = args[4],
  };
  lmc_license *license = NULL;
  lmc_status *status = NULL;
  lmc_error *error = lmc_license_new(&options, &license);
  if (error == NULL) error = lmc_license_install(license, args[5], &status);
  puts(error == NULL ? lmc_status_state(status) : lmc_error_code(error));
  lmc_error_free(error);
  lmc_status_free(status);
  lmc_license_free(license);
  return EXIT_SUCCESS;
}
