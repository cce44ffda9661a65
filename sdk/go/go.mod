module licenses.example/licenseclient

go 1.22
