// Package licenseclient lets software that you ship verify its license offline.
//
//	license, err := licenseclient.New(licenseclient.Options{…})
//	status, err := license.Activate(ctx, key)
//	license.Status().State == licenseclient.Valid
package licenseclient
