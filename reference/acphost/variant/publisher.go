package acpvariant

import (
	"bytes"
	"context"
	"encoding/base64"

	"github.com/mr-tron/base58"

	"github.com/capconform/capconform/reference/acphost"
	"github.com/capconform/capconform/reference/rpc"
	"github.com/capconform/capconform/reference/variant"
)

// publishings returns publishers that store more than the file, or encode its signature in another way.
func publishings() []variant.Variant {
	return []variant.Variant{
		newVariant("stores-more", "Stores a page about the package after the file.", storesMore, "ACP-PUB-01"),
		newVariant("signs-in-base64", "Writes signatures in base64url multibase.", signsInBase64, "ACP-PUB-09"),
	}
}

func storesMore(h *acphost.Host) {
	upload := h.Upload
	h.Upload = func(ctx context.Context, content []byte) (string, error) {
		cid, err := upload(ctx, content)
		if err != nil {
			return cid, err
		}
		if p, failed := acphost.ReadPackage(content); failed == nil {
			// the harness does not examine this file
			_, _ = upload(ctx, rpc.Append(nil, object{"title": p.URI, "about": p.Prompt, "file": cid}))
		}
		return cid, nil
	}
}

// signsInBase64 writes the same signature in another encoding.
func signsInBase64(h *acphost.Host) {
	sign := h.Sign
	h.Sign = func(text []byte, by acphost.Author) ([]byte, error) {
		signed, err := sign(text, by)
		if err != nil {
			return nil, err
		}
		p, err := acphost.ReadPackage(signed)
		if err != nil {
			return nil, err
		}
		raw, err := base58.Decode(p.Signature[len("z"):])
		if err != nil {
			return nil, err
		}
		written := "u" + base64.RawURLEncoding.EncodeToString(raw)
		return bytes.Replace(signed, []byte(p.Signature), []byte(written), 1), nil
	}
}
