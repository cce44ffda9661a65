package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"

	"licenses.example/licenseclient"
)

func main() {
	log.SetFlags(0)
	// The response of GET /signing-keys. Paste it here: anyone who can change it at run time can license your software.
	var keys struct {
		Issuer        string
		Current, Next licenseclient.JWK
	}
	if err := json.Unmarshal([]byte(os.Getenv("SIGNING_KEYS")), &keys); err != nil {
		log.Fatal(err)
	}
	folder, err := filepath.Abs(os.Getenv("FOLDER"))
	if err != nil {
		log.Fatal(err)
	}
	license, err := licenseclient.New(licenseclient.Options{
		Service: os.Getenv("SERVICE"),
		Issuer:  keys.Issuer,
		Product: "com.example.web-shop",
		Keys:    []licenseclient.JWK{keys.Current, keys.Next},
		Folder:  folder,
	})
	if err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()
	// The certificate of each start is new, so a revocation arrives at the next one.
	license.Refresh(ctx)
	status, err := license.Ensure(ctx, os.Getenv("KEY"))
	if err != nil {
		log.Print(err)
		status = license.Status()
	}
	if !status.IsValid() {
		log.Fatalf("Not licensed: %s (%s).", status.State, status.Reason)
	}
	until := status.ValidUntil.Format("2006-01-02T15:04:05.000Z")
	fmt.Printf("Licensed until %s for %s.\n", until, strings.Join(status.Services, " and "))
}
