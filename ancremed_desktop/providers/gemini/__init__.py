"""Google Gemini, through its own client library: off until the user gives a key and consents."""
