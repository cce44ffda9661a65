// Offline license checks for shipped software.
//
// - A function that can fail returns an error, or NULL on success, and sets its last parameter only on success.
// - Every text is UTF-8 and ends with a zero byte. The library copies the texts that it receives.
// - A text returned as `const char *` belongs to its object, and is valid until the object is freed.
// - Free every object once, with its `_free` or `_stop` function; NULL is ignored.
// - Any thread may call any function with the same license. A status or an error never changes.
//
// Written by cbindgen: see src.

#ifndef LICENSE_MANAGEMENT_CLIENT_H
#define LICENSE_MANAGEMENT_CLIENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A problem that the program or its user must fix, with an option, the folder, a response or a certificate.
typedef struct lmc_error lmc_error;

// A license that is kept fresh.
typedef struct lmc_keep_fresh lmc_keep_fresh;

// The license of one product on this machine.
typedef struct lmc_license lmc_license;

// Whether the program is licensed, and the terms of its license.
typedef struct lmc_status lmc_status;

// Called on a thread of the library with the context of `lmc_license_keep_fresh`. The status is valid during the call.
typedef void (*lmc_on_change)(void *context, const lmc_status *status);

// The options of a license. Set all members to zero first; zero means absent.
typedef struct {
  // `sizeof(lmc_options)`: later versions add members at the end.
  size_t size;
  // Address of the license service: https, or http on this machine.
  const char *service;
  // `issuer` of `GET /signing-keys`.
  const char *issuer;
  // The project's product.
  const char *product;
  // `current` and `next` of `GET /signing-keys`, each as its JSON text.
  const char *const *keys;
  // Number of keys.
  size_t key_count;
  // Absolute path of a folder that the program can write to and other users cannot read.
  const char *folder;
  // Optional: names this machine, 16 to 256 printable ASCII characters.
  const char *fingerprint;
  // Optional: the name of this machine that the vendor sees.
  const char *machine_name;
  // Optional: the release date of this build, `YYYY-MM-DD`: the license must include updates until then.
  const char *released_at;
  // Optional: the timeout of a request in milliseconds, at most 600,000; 0 means 5,000.
  uint32_t timeout_ms;
  // Optional: if set, a machine without its own id is an error; otherwise it gets a random id.
  bool forbid_random_id;
} lmc_options;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// The code, which is stable.
const char *lmc_error_code(const lmc_error *error);

// The message for people, in English.
const char *lmc_error_message(const lmc_error *error);

// Seconds to wait before the next attempt if the service said so, otherwise -1.
int64_t lmc_error_retry_after(const lmc_error *error);

// Frees an error.
void lmc_error_free(lmc_error *error);

// Refreshes the license on a thread, as often as its certificate requires. For a floating license, sends
// heartbeats. `on_change` may be NULL. It is called with the first status and whenever the state changes.
// Stop it with `lmc_keep_fresh_stop`.
lmc_keep_fresh *lmc_license_keep_fresh(const lmc_license *license,
                                       lmc_on_change on_change,
                                       void *context);

// Stops it. Waits for a running call of `on_change`, so do not call it from there. No calls follow.
void lmc_keep_fresh_stop(lmc_keep_fresh *keep_fresh);

// Creates a program's license with these options. Free it with `lmc_license_free`.
lmc_error *lmc_license_new(const lmc_options *options, lmc_license **license);

// Frees a license. If it is being kept fresh, that continues until `lmc_keep_fresh_stop`.
void lmc_license_free(lmc_license *license);

// Whether the program may run, according to the stored state. Uses no network and never fails. Free the status with
// `lmc_status_free`.
lmc_status *lmc_license_status(const lmc_license *license);

// Fetches a new certificate, or stores the service's rejection of the license. Never fails. Without a
// valid response, only the reason changes. Free the status with `lmc_status_free`.
lmc_status *lmc_license_refresh(const lmc_license *license);

// Call this when the program starts. Does nothing if the license is valid. Otherwise it refreshes the
// license or extends its lease. If that does not help, it activates the key. Without a key or with a blank
// one, it activates nothing and returns NULL. `status` may be NULL.
lmc_error *lmc_license_ensure(const lmc_license *license,
                              const char *key,
                              lmc_status **status);

// Takes a free seat on the license for this machine unless it holds one, and stores the key and
// certificate. `status` may be NULL.
lmc_error *lmc_license_activate(const lmc_license *license, const char *key, lmc_status **status);

// For a floating license: extends this machine's lease or takes a free seat, and stores the new
// certificate. `status` may be NULL.
lmc_error *lmc_license_heartbeat(const lmc_license *license, lmc_status **status);

// Releases this machine's seat and deletes the stored key and certificate. `status` may be NULL.
lmc_error *lmc_license_release(const lmc_license *license, lmc_status **status);

// For an offline machine: returns the JSON text that the vendor needs to issue a certificate. Free it with
// `lmc_text_free`.
lmc_error *lmc_license_request(const lmc_license *license,
                               char **request);

// For an offline machine: stores the certificate that the vendor sent. `status` may be NULL.
lmc_error *lmc_license_install(const lmc_license *license,
                               const char *certificate,
                               lmc_status **status);

// Deletes the stored key and certificate. The license stays bound to this machine.
lmc_error *lmc_license_forget(const lmc_license *license);

// Whether the program may run.
bool lmc_status_is_valid(const lmc_status *status);

// `valid`, or why not: a stable code.
const char *lmc_status_state(const lmc_status *status);

// A stable code for the cause of the state, or for why the last request changed nothing; may be NULL.
const char *lmc_status_reason(const lmc_status *status);

// When the certificate or its license expires, whichever comes first, such as `2027-01-22T08:00:00.000Z`.
// In the states `ended` and `expired`, when that happened. NULL in all other states except `valid`.
const char *lmc_status_valid_until(const lmc_status *status);

// The same in milliseconds since 1970; 0 if there is none.
int64_t lmc_status_valid_until_ms(const lmc_status *status);

// When the license expires; NULL if it is perpetual, or if there is no certificate for this program and machine.
const char *lmc_status_expires_at(const lmc_status *status);

// The same in milliseconds since 1970; 0 if there is none.
int64_t lmc_status_expires_at_ms(const lmc_status *status);

// Whether the license is perpetual.
bool lmc_status_perpetual(const lmc_status *status);

// The license covers builds released by then; NULL if it covers all builds.
const char *lmc_status_updates_until(const lmc_status *status);

// The same in milliseconds since 1970; 0 if there is none.
int64_t lmc_status_updates_until_ms(const lmc_status *status);

// The name of your customer; NULL if the certificate has none.
const char *lmc_status_licensee(const lmc_status *status);

// The name of the plan; NULL if there is none.
const char *lmc_status_plan(const lmc_status *status);

// The number of services; 0 unless the license is valid.
size_t lmc_status_service_count(const lmc_status *status);

// A service by its index from 0; NULL if there is none.
const char *lmc_status_service(const lmc_status *status, size_t index);

// The number of entitlements; 0 unless the license is valid.
size_t lmc_status_entitlement_count(const lmc_status *status);

// An entitlement by its index from 0; NULL if there is none.
const char *lmc_status_entitlement(const lmc_status *status, size_t index);

// Whether the license is valid and includes this entitlement.
bool lmc_status_has(const lmc_status *status, const char *entitlement);

// Whether a build released on this day, `YYYY-MM-DD`, may run with this license. False in any state except
// `valid` and `update_not_covered`, and for a text that is not a day.
bool lmc_status_may_update_to(const lmc_status *status,
                              const char *day);

// Frees a status.
void lmc_status_free(lmc_status *status);

// Frees a text that a function returned as `char *`.
void lmc_text_free(char *text);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* LICENSE_MANAGEMENT_CLIENT_H */
