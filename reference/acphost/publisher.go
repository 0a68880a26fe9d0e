package acphost

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"mime/multipart"
	"net/http"

	"github.com/capconform/capconform/reference/rpc"
)

// publisher implements the publisher.
type publisher struct{ *Host }

func (h publisher) publishing() Publishing {
	return Publishing{
		CheckPackage: func(p *Package) error {
			for _, rule := range h.Rules {
				if err := rule.Check(p); err != nil {
					return err
				}
			}
			return nil
		},
		CheckKey: h.checkKey,
		Sign:     func(text []byte, by Author) ([]byte, error) { return Sign(h.Profile, text, by.Key) },
		Upload:   h.upload,
		Submission: func(p *Package, content []byte, cid string, by Author) object {
			return object{"cap_uri": p.URI, "semver": p.Version.Original(), "cid": cid, "sha256": HashOf(content),
				"author": by.member()}
		},
		Submit: func(ctx context.Context, submission object) error {
			_, err := h.callRegistry(ctx, OpPublish, submission)
			return err
		},
	}
}

// author implements acp.author: it checks, signs, stores and publishes a file.
func (h publisher) author(ctx context.Context, params object) (any, error) {
	text := []byte(stringOf(params["file"]))
	by, named, err := readAuthor(params)
	if err != nil {
		return nil, refuse("%s", messageOf(err))
	}
	if !named {
		by = h.ownAuthor
	}
	result, err := h.publish(ctx, text, by)
	if err != nil {
		return nil, refuse("%s", messageOf(err))
	}
	return result, nil
}

func (h publisher) publish(ctx context.Context, text []byte, by Author) (any, error) {
	p, err := ReadPackage(text)
	if err != nil {
		return nil, err
	}
	if err := h.CheckPackage(p); err != nil {
		return nil, err
	}
	if err := h.CheckKey(ctx, by); err != nil {
		return nil, err
	}
	signed, err := h.Sign(text, by)
	if err != nil {
		return nil, err
	}
	cid, err := h.Upload(ctx, signed)
	if err != nil {
		return nil, err
	}
	if err := h.Submit(ctx, h.Submission(p, signed, cid, by)); err != nil {
		return nil, err
	}
	return object{"cap_uri": p.URI, "cid": cid}, nil
}

// checkKey returns an error unless an author has a key of its DID.
func (h publisher) checkKey(ctx context.Context, by Author) error {
	keys, err := h.KeysOf(ctx, by.DID)
	if err != nil {
		return err
	}
	for _, key := range keys {
		if key.Public.Equal(by.Key.Public()) {
			return nil
		}
	}
	return errors.New("acphost: the key does not belong to the author")
}

// upload stores a file through the gateway, which must return its CID.
func (h publisher) upload(ctx context.Context, content []byte) (string, error) {
	gateway := h.currentConfiguration().Gateway
	if gateway == "" {
		return "", errors.New("acphost: no gateway is configured")
	}
	var form bytes.Buffer
	writer := multipart.NewWriter(&form)
	part, err := writer.CreateFormFile("file", "package.acp.yaml")
	if err == nil {
		_, err = part.Write(content)
	}
	if err = errors.Join(err, writer.Close()); err != nil {
		return "", fmt.Errorf("acphost: %w", err)
	}
	status, body, err := h.send(ctx, http.MethodPost, gateway+"/api/v0/add?cid-version=1&raw-leaves=true", form.Bytes(),
		writer.FormDataContentType())
	if err != nil {
		return "", err
	}
	value, err := rpc.Decode(body)
	cid := stringOf(objectOf(value)["Hash"])
	if status != http.StatusOK || err != nil || cid == "" {
		return "", fmt.Errorf("acphost: the gateway does not store the file and answers %d", status)
	}
	return cid, checkCID(cid, content)
}
