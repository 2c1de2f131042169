// Pays each invoice by a batch of its own, all at the same time, under a lock of the operating system. A payment's key and
// body are stored before they are sent.
package main

import (
	"bytes"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha1"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"math"
	mathrand "math/rand"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

func env(name string) string { return os.Getenv("PAYMENTS_" + name) }

type invoice struct {
	ID              string          `json:"id"`
	CreditorID      string          `json:"creditorId"`
	CreditorName    string          `json:"creditorName"`
	Amount          string          `json:"amount"`
	Currency        string          `json:"currency"`
	Reference       string          `json:"reference"`
	CreditorAgent   json.RawMessage `json:"creditorAgent,omitempty"`
	CreditorAccount json.RawMessage `json:"creditorAccount,omitempty"`
}
type order struct {
	Key  string `json:"key"`
	Body string `json:"body"`
}
type said struct {
	ID      string `json:"id"`
	Outcome string `json:"outcome"`
}
type batch struct {
	Data struct {
		BatchID  string `json:"batchId"`
		Payments []struct {
			Status string `json:"status"`
		} `json:"payments"`
	} `json:"data"`
	Links *struct {
		PaymentFile string `json:"paymentFile"`
	} `json:"links"`
}

func random() string {
	value := make([]byte, 16)
	rand.Read(value)
	return hex.EncodeToString(value)
}

var client http.Client

// Makes a call; the status is 0 without a whole response.
func send(method, address string, headers map[string]string, body string) (int, http.Header, []byte) {
	request, _ := http.NewRequest(method, address, strings.NewReader(body))
	for name, value := range headers {
		request.Header.Set(name, value)
	}
	response, err := client.Do(request)
	if err != nil {
		return 0, nil, nil
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode/100 == 3 {
		return 0, nil, nil
	}
	return response.StatusCode, response.Header, text
}

var token struct {
	sync.Mutex
	jwt string
}

func obtain() string {
	token.Lock()
	defer token.Unlock()
	if token.jwt != "" {
		return token.jwt
	}
	address, nonce := env("URL")+"/auth-v1/accessToken", random()
	hash := hmac.New(sha1.New, []byte(env("SIGNING_KEY")+"&null"))
	hash.Write([]byte("POST&" + url.QueryEscape(strings.ToLower(address)) + "&&" + nonce))
	status, _, text := send("POST", address, map[string]string{
		"X-Application": env("APPLICATION_ID"), "X-Organisation-Id": env("ORGANISATION_ID"), "X-Company-Id": env("COMPANY_ID"),
		"X-Nonce": nonce, "X-Signature": base64.StdEncoding.EncodeToString(hash.Sum(nil)),
	}, "")
	var answer struct {
		JWT string `json:"jwt"`
	}
	if status == 200 && json.Unmarshal(text, &answer) == nil {
		token.jwt = answer.JWT
	}
	return token.jwt
}

func refused(jwt string) {
	token.Lock()
	defer token.Unlock()
	if token.jwt == jwt {
		token.jwt = ""
	}
}

func pause(attempt int, headers http.Header) {
	least := 500 * math.Pow(2, float64(attempt)) * (1 + mathrand.Float64()/2)
	asked := headers.Get("Retry-After")
	if seconds, err := strconv.Atoi(asked); err == nil {
		least = math.Max(least, float64(seconds)*1000)
	} else if until, err := http.ParseTime(asked); err == nil {
		now, err := http.ParseTime(headers.Get("Date"))
		if err != nil {
			now = time.Now()
		}
		least = math.Max(least, float64(until.Sub(now).Milliseconds()))
	}
	time.Sleep(time.Duration(math.Min(least, 60_000)) * time.Millisecond)
}

// Calls until there is a final response; the status is 0 if there is none.
func call(method, path, key, body string) (int, batch) {
	for attempt := 0; attempt < 5; attempt++ {
		var status int
		var headers http.Header
		var text []byte
		jwt := obtain()
		if jwt != "" {
			own := map[string]string{"x-application": env("APPLICATION_ID"), "x-api-key": env("API_KEY"), "Authorization": "Bearer " + jwt}
			if key != "" {
				own["x-idempotency-key"], own["Content-Type"] = key, "application/json"
			}
			status, headers, text = send(method, env("URL")+path, own, body)
		}
		var found batch
		switch {
		case status == 401 && attempt == 0:
			refused(jwt)
			continue
		case status/100 == 2 && json.Unmarshal(text, &found) == nil && found.Data.BatchID != "":
			return status, found
		case status/100 == 4 && status != 429 && json.Valid(text):
			return status, found
		}
		pause(attempt, headers)
	}
	return 0, batch{}
}

func write(name string, value any) {
	path := filepath.Join(env("STATE"), name)
	draft, _ := os.Create(path + "." + random())
	json.NewEncoder(draft).Encode(value)
	draft.Sync()
	draft.Close()
	os.Rename(draft.Name(), path)
}

func read(name string, value any) bool {
	text, err := os.ReadFile(filepath.Join(env("STATE"), name))
	return err == nil && json.Unmarshal(text, value) == nil
}

func orderFor(each invoice, file map[string]any) order {
	payment := map[string]any{
		"instructedAmount":      map[string]string{"amount": each.Amount, "currency": each.Currency},
		"creditor":              map[string]string{"creditorId": each.CreditorID, "name": each.CreditorName},
		"remittanceInformation": map[string]string{"reference": each.Reference},
	}
	data := map[string]any{
		"externalId": each.ID, "requestedExecutionDateTime": time.Now().UTC().Format("2006-01-02") + "T00:00:00Z",
		"payments": []any{payment},
	}
	if file == nil {
		data["subscriptionId"], data["debtor"] = env("SUBSCRIPTION_ID"), map[string]string{"debtorId": env("DEBTOR_ID")}
	} else {
		payment["creditorAgent"], payment["creditorAccount"] = each.CreditorAgent, each.CreditorAccount
		for name, value := range file {
			data[name] = value
		}
	}
	body, _ := json.Marshal(map[string]any{"data": data})
	return order{Key: random(), Body: string(body)}
}

func pay(each invoice, file map[string]any) string {
	var known string
	if read("outcome-"+each.ID, &known) {
		return known
	}
	var mine order
	if !read("order-"+each.ID, &mine) {
		mine = orderFor(each, file)
		write("order-"+each.ID, mine)
	}
	outcome := "unknown"
	status, found := call("POST", "/v3/batchpayments", mine.Key, mine.Body)
	if status/100 == 4 && status != 401 && status != 409 {
		outcome = "failed"
	} else if status/100 == 2 {
		outcome = follow(found.Data.BatchID)
	}
	if outcome != "unknown" {
		write("outcome-"+each.ID, outcome)
	}
	return outcome
}

func follow(id string) string {
	pause := 1200 * time.Millisecond
	for until := time.Now().Add(40 * time.Second); time.Now().Before(until); pause += pause / 3 {
		time.Sleep(pause)
		status, found := call("GET", "/v3/batchpayments/"+id, "", "")
		if status/100 != 2 || len(found.Data.Payments) == 0 {
			continue
		}
		if found.Links != nil && found.Links.PaymentFile != "" {
			if status, _, _ := send("GET", found.Links.PaymentFile, nil, ""); status != 200 {
				continue
			}
		}
		switch found.Data.Payments[0].Status {
		case "Completed", "PaymentFileAvailable":
			return "paid"
		case "Returned":
			return "returned"
		case "Failed", "Rejected", "Cancelled":
			return "failed"
		}
	}
	return "unknown"
}

func main() {
	seconds, _ := strconv.Atoi(env("TIMEOUT"))
	client = http.Client{
		Timeout:       time.Duration(seconds) * time.Second,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	lock, _ := os.OpenFile(filepath.Join(env("STATE"), "lock"), os.O_CREATE|os.O_RDWR, 0o600)
	syscall.Flock(int(lock.Fd()), syscall.LOCK_EX)
	text, _ := os.ReadFile(env("INVOICES"))
	var asked struct {
		Invoices []invoice      `json:"invoices"`
		File     map[string]any `json:"file"`
	}
	if err := json.Unmarshal(text, &asked); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	outcomes := make([]said, len(asked.Invoices))
	var all sync.WaitGroup
	for index, each := range asked.Invoices {
		all.Add(1)
		go func(index int, each invoice) {
			defer all.Done()
			outcomes[index] = said{each.ID, pay(each, asked.File)}
		}(index, each)
	}
	all.Wait()
	var result bytes.Buffer
	json.NewEncoder(&result).Encode(map[string]any{"invoices": outcomes})
	os.WriteFile(env("RESULT")+".draft", result.Bytes(), 0o600)
	os.Rename(env("RESULT")+".draft", env("RESULT"))
	for _, each := range outcomes {
		if each.Outcome != "paid" {
			os.Exit(1)
		}
	}
}
