import { pasted, type Program } from './program.js';

export const go: Program = {
  file: 'main.go',
  install: {
    details: 'Not published yet: require it from the service repository.',
    blocks: [
      {
        place: 'app',
        lines: [
          'go mod init example.com/web-shop',
          'go mod edit -require=licenses.example/licenseclient@v0.1.0 -replace=licenses.example/licenseclient="$CHECKOUT/sdk/go"',
        ],
      },
    ],
  },
  source: `package main

import (
	"context"
	"fmt"
	"log"
	"os"

	"licenses.example/licenseclient"
)

func main() {
	name, _ := os.Hostname()
	license, err := licenseclient.New(licenseclient.Options{
		Service: "https://licenses.example",
		Product: "com.example.web-shop",
		Issuer:  "ISSUER",
		Keys: []licenseclient.JWK{
			{Kty: "OKP", Crv: "Ed25519", X: "CURRENT"},
			{Kty: "OKP", Crv: "Ed25519", X: "NEXT"},
		},
		Folder:      "/var/lib/web-shop",
		MachineName: name,
	})
	if err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()
	status, err := license.Ensure(ctx, os.Getenv("LICENSE_KEY"))
	if err != nil {
		log.Fatalf("This program is not licensed: %s", err)
	}
	if !status.IsValid() {
		log.Fatalf("This program is not licensed: %s", status.State)
	}
	if status.Perpetual {
		fmt.Println("Licensed")
	} else {
		fmt.Println("Licensed until", status.ExpiresAt)
	}
	go license.KeepFresh(ctx, nil)
}
`,
  fill: pasted,
};
