module example.com/web-shop

go 1.22

require licenses.example/licenseclient v0.1.0

replace licenses.example/licenseclient => ../../../sdk/go
