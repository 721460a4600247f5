package world

import "strings"

// DefaultAllow returns the domains that Portal may ask by default: references and standards that need no login.
func DefaultAllow() []DomainRule {
	return categorised("reference", "docs.rs", "doc.rust-lang.org", "en.wikipedia.org", "developer.mozilla.org", "www.rfc-editor.org", "www.w3.org", "arxiv.org")
}

// DefaultBlock returns the domains that are always blocked, whatever a scenario allows: code hosts, because no code
// may enter, language models that could think for an agent, and social media.
func DefaultBlock() []DomainRule {
	var out []DomainRule
	out = append(out, categorised("code_host", "github.com", "githubusercontent.com", "github.io", "gitlab.com", "bitbucket.org", "codeberg.org", "sourceforge.net", "sr.ht", "pastebin.com")...)
	out = append(out, categorised("ai_model", "openai.com", "chatgpt.com", "anthropic.com", "claude.ai", "generativelanguage.googleapis.com", "gemini.google.com", "mistral.ai", "cohere.com", "groq.com", "openrouter.ai", "huggingface.co", "replicate.com", "together.ai", "perplexity.ai", "deepseek.com")...)
	out = append(out, categorised("social_media", "x.com", "twitter.com", "facebook.com", "instagram.com", "threads.net", "tiktok.com", "reddit.com", "linkedin.com", "bsky.app", "discord.com", "telegram.org", "t.me", "weibo.com", "youtube.com")...)
	return out
}

// categorised are rules of one category.
func categorised(category string, patterns ...string) []DomainRule {
	out := make([]DomainRule, len(patterns))
	for i, p := range patterns {
		out[i] = DomainRule{Pattern: p, Category: category}
	}
	return out
}

// hostBytes is the most that a host name has, labelBytes the most of its parts.
const (
	hostBytes  = 253
	labelBytes = 63
)

// PublicName reports whether a host has the form of a public name: lower-case letters, digits and '-' in at least two
// parts, the last of which begins with a letter, so that it is no form of an IP address. Names with a special meaning
// in every network are not public.
func PublicName(host string) bool {
	if len(host) > hostBytes {
		return false
	}
	labels := strings.Split(host, ".")
	for _, l := range labels {
		if l == "" || len(l) > labelBytes || l[0] == '-' || l[len(l)-1] == '-' || strings.Trim(l, nameLetters) != "" {
			return false
		}
	}
	if last := labels[len(labels)-1]; len(labels) < 2 || last[0] < 'a' {
		return false
	}
	for _, private := range privateNames {
		if host == private || strings.HasSuffix(host, "."+private) {
			return false
		}
	}
	return true
}

const nameLetters = "abcdefghijklmnopqrstuvwxyz0123456789-"

// privateNames end the names of hosts that mean something else on every network.
var privateNames = []string{"localhost", "local", "internal", "localdomain", "home.arpa"}
