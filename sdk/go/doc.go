// Package licenseclient lets the software that you ship verify its license by itself, offline.
//
//	license, err := licenseclient.New(licenseclient.Options{…})
//	status, err := license.Activate(ctx, key)
//	license.Status().State == licenseclient.Valid
package licenseclient
