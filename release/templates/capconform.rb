class Capconform < Formula
  desc "{{ .About }}"
  homepage "{{ .Home }}"
  version "{{ .Version }}"
  license "Apache-2.0"

  on_macos do
    on_arm do
      url "{{ url "darwin" "arm64" }}"
      sha256 "{{ digest "darwin" "arm64" }}"
    end
    on_intel do
      url "{{ url "darwin" "amd64" }}"
      sha256 "{{ digest "darwin" "amd64" }}"
    end
  end

  on_linux do
    on_arm do
      url "{{ url "linux" "arm64" }}"
      sha256 "{{ digest "linux" "arm64" }}"
    end
    on_intel do
      url "{{ url "linux" "amd64" }}"
      sha256 "{{ digest "linux" "amd64" }}"
    end
  end

  def install
    bin.install "capconform"
    man1.install Dir["man/*.1"]
    bash_completion.install "completions/capconform.bash" => "capconform"
    zsh_completion.install "completions/_capconform"
    fish_completion.install "completions/capconform.fish"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/capconform version")
    system bin/"capconform", "run", "--quiet", "reference"
  end
end
