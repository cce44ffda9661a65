// Calls every function of the header, including with NULL. Under valgrind and the sanitizers, it shows that
// nothing leaks. Arguments: folder, issuer, product, key, fingerprint, a valid certificate, its service,
// its entitlement, the clock.
#define _POSIX_C_SOURCE 200809L
#include <license_management_client.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void lmc_test_clock(double seconds);

#define CHECK(condition) \
  do { \
    if (!(condition)) { \
      fprintf(stderr, "line %d: %s\n", __LINE__, #condition); \
      exit(EXIT_FAILURE); \
    } \
  } while (0)

// Nothing listens on port 2.
static const char *const NOWHERE = "http://127.0.0.1:2";

static void expect_error(lmc_error *error, const char *code) {
  CHECK(error != NULL);
  if (strcmp(lmc_error_code(error), code) != 0) fprintf(stderr, "%s, not %s\n", lmc_error_code(error), code);
  CHECK(strcmp(lmc_error_code(error), code) == 0);
  CHECK(strlen(lmc_error_message(error)) > 0);
  CHECK(lmc_error_retry_after(error) == -1);
  lmc_error_free(error);
}

static void expect_state(lmc_status *status, const char *state) {
  CHECK(strcmp(lmc_status_state(status), state) == 0);
  lmc_status_free(status);
}

static void null_is_an_error(void) {
  lmc_license *license = NULL;
  lmc_options options = {0};
  expect_error(lmc_license_new(NULL, &license), "internal");
  expect_error(lmc_license_new(&options, &license), "option");
  options.size = sizeof options;
  expect_error(lmc_license_new(&options, &license), "option");
  expect_error(lmc_license_new(&options, NULL), "internal");
  CHECK(license == NULL);
  expect_state(lmc_license_status(NULL), "unreadable");
  expect_state(lmc_license_refresh(NULL), "unreadable");
  expect_error(lmc_license_ensure(NULL, "a key", NULL), "internal");
  expect_error(lmc_license_activate(NULL, "a key", NULL), "internal");
  expect_error(lmc_license_heartbeat(NULL, NULL), "internal");
  expect_error(lmc_license_release(NULL, NULL), "internal");
  expect_error(lmc_license_request(NULL, NULL), "internal");
  expect_error(lmc_license_install(NULL, NULL, NULL), "internal");
  expect_error(lmc_license_forget(NULL), "internal");
  CHECK(lmc_license_keep_fresh(NULL, NULL, NULL) == NULL);
  CHECK(lmc_status_state(NULL) == NULL && lmc_status_reason(NULL) == NULL);
  CHECK(!lmc_status_is_valid(NULL) && !lmc_status_has(NULL, NULL) && !lmc_status_may_update_to(NULL, NULL));
  CHECK(lmc_status_valid_until(NULL) == NULL && lmc_status_valid_until_ms(NULL) == 0);
  CHECK(lmc_status_expires_at(NULL) == NULL && lmc_status_expires_at_ms(NULL) == 0 && !lmc_status_perpetual(NULL));
  CHECK(lmc_status_updates_until(NULL) == NULL && lmc_status_updates_until_ms(NULL) == 0);
  CHECK(lmc_status_licensee(NULL) == NULL && lmc_status_plan(NULL) == NULL);
  CHECK(lmc_status_service_count(NULL) == 0 && lmc_status_service(NULL, 0) == NULL);
  CHECK(lmc_status_entitlement_count(NULL) == 0 && lmc_status_entitlement(NULL, 0) == NULL);
  CHECK(lmc_error_code(NULL) == NULL && lmc_error_message(NULL) == NULL && lmc_error_retry_after(NULL) == -1);
  lmc_license_free(NULL);
  lmc_status_free(NULL);
  lmc_error_free(NULL);
  lmc_text_free(NULL);
  lmc_keep_fresh_stop(NULL);
}

static void *read_status(void *license) {
  for (int round = 0; round < 20; round++) expect_state(lmc_license_status(license), "valid");
  return NULL;
}

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void on_change(void *context, const lmc_status *status) {
  pthread_mutex_lock(&mutex);
  *(int *)context += lmc_status_is_valid(status) ? 1 : 1000;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&mutex);
}

static void a_license_is_kept_fresh(lmc_license *license) {
  int changes = 0;
  lmc_keep_fresh *fresh = lmc_license_keep_fresh(license, on_change, &changes);
  CHECK(fresh != NULL);
  pthread_mutex_lock(&mutex);
  while (changes == 0) pthread_cond_wait(&changed, &mutex);
  CHECK(changes == 1);
  pthread_mutex_unlock(&mutex);
  lmc_keep_fresh_stop(fresh);
  lmc_keep_fresh_stop(lmc_license_keep_fresh(license, NULL, NULL));
}

int main(int count, char **arguments) {
  CHECK(count == 10);
  const char *const *given = (const char *const *)arguments;
  lmc_test_clock(atof(given[9]));
  null_is_an_error();

  const char *keys[] = {given[4]};
  lmc_options options = {.size = sizeof options, .service = NOWHERE, .issuer = given[2], .product = given[3]};
  options.keys = keys;
  options.key_count = 1;
  options.folder = given[1];
  options.fingerprint = given[5];
  options.timeout_ms = 60000;
  lmc_license *license = NULL;
  options.machine_name = "\xff\n";
  expect_error(lmc_license_new(&options, &license), "option");
  options.machine_name = "C";
  options.released_at = "today";
  expect_error(lmc_license_new(&options, &license), "option");
  options.released_at = "2027-01-31";
  CHECK(lmc_license_new(&options, &license) == NULL);

  expect_state(lmc_license_status(license), "none");
  lmc_status *status = NULL;
  CHECK(lmc_license_ensure(license, NULL, &status) == NULL);
  expect_state(status, "none");
  expect_error(lmc_license_ensure(license, "a key", &status), "no_response");
  expect_error(lmc_license_activate(license, NULL, NULL), "LICENSE_KEY_REQUIRED");
  expect_error(lmc_license_activate(license, "a key", NULL), "no_response");
  expect_error(lmc_license_heartbeat(license, NULL), "LICENSE_KEY_REQUIRED");
  expect_error(lmc_license_release(license, NULL), "LICENSE_KEY_REQUIRED");
  expect_error(lmc_license_install(license, NULL, NULL), "format");
  expect_error(lmc_license_install(license, "\xff", NULL), "format");

  char *request = NULL;
  CHECK(lmc_license_request(license, NULL) == NULL);
  CHECK(lmc_license_request(license, &request) == NULL);
  CHECK(strstr(request, given[5]) != NULL);
  lmc_text_free(request);

  CHECK(lmc_license_install(license, given[6], &status) == NULL);
  CHECK(lmc_status_is_valid(status) && strcmp(lmc_status_state(status), "valid") == 0);
  CHECK(lmc_status_reason(status) == NULL);
  CHECK(strlen(lmc_status_valid_until(status)) == 24 && lmc_status_valid_until_ms(status) > 0);
  CHECK(strlen(lmc_status_expires_at(status)) == 24 && lmc_status_expires_at_ms(status) > 0);
  CHECK(!lmc_status_perpetual(status) && strcmp(lmc_status_updates_until(status), "2027-01-31T00:00:00.000Z") == 0);
  CHECK(lmc_status_updates_until_ms(status) == 1801353600000);
  CHECK(strcmp(lmc_status_licensee(status), "Acme GmbH") == 0 && strcmp(lmc_status_plan(status), "Pro") == 0);
  CHECK(lmc_status_may_update_to(status, "2027-01-31") && !lmc_status_may_update_to(status, "2027-02-01"));
  CHECK(!lmc_status_may_update_to(status, NULL));
  CHECK(lmc_status_service_count(status) > 0 && strcmp(lmc_status_service(status, 0), given[7]) == 0);
  CHECK(lmc_status_service(status, lmc_status_service_count(status)) == NULL);
  CHECK(lmc_status_entitlement_count(status) > 0 && strcmp(lmc_status_entitlement(status, 0), given[8]) == 0);
  CHECK(lmc_status_entitlement(status, lmc_status_entitlement_count(status)) == NULL);
  CHECK(lmc_status_has(status, given[8]) && !lmc_status_has(status, "another") && !lmc_status_has(status, NULL));
  lmc_status_free(status);

  pthread_t threads[4];
  for (int index = 0; index < 4; index++) CHECK(pthread_create(&threads[index], NULL, read_status, license) == 0);
  for (int index = 0; index < 4; index++) CHECK(pthread_join(threads[index], NULL) == 0);
  expect_state(lmc_license_refresh(license), "valid");
  CHECK(lmc_license_ensure(license, "a key", &status) == NULL);
  expect_state(status, "valid");
  a_license_is_kept_fresh(license);

  CHECK(lmc_license_forget(license) == NULL);
  expect_state(lmc_license_status(license), "none");
  lmc_license_free(license);
  puts("passed");
  return EXIT_SUCCESS;
}
