package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"os"

	"licenses.example/licenseclient"
)

func main() {
	args := os.Args[1:]
	options := licenseclient.Options{
		Service: "https://licenses.example", Folder: args[0], Issuer: args[1], Product: args[2], Fingerprint: args[3],
		Keys: make([]licenseclient.JWK, 2),
	}
	for index := range options.Keys {
		if err := json.Unmarshal([]byte(args[5+index]), &options.Keys[index]); err != nil {
			log.Fatal(err)
		}
	}
	license, err := licenseclient.New(options)
	if err != nil {
		log.Fatal(err)
	}
	status, err := license.Install(args[4])
	var failure *licenseclient.LicenseError
	if errors.As(err, &failure) {
		fmt.Println(failure.Code)
	} else {
		fmt.Println(status.State)
	}
}
