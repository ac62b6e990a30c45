using Mux.Identity;

namespace Mux.Tool.Serving;

/// <summary>How the connections of a process are made, whatever engine moves their bytes.</summary>
internal sealed record LinkOptions
{
    /// <summary>Null for the system's choice.</summary>
    public string? CongestionControl { get; init; }

    /// <summary>The file with the certificate of a server at a <c>muxs</c> address; null for none.</summary>
    public string? CertificatePath { get; init; }

    /// <summary>The file with its key; null if it stands beside the certificate.</summary>
    public string? CertificateKeyPath { get; init; }

    /// <summary>The file with the roots that a client trusts at <c>muxs</c> addresses; null for those of the system.</summary>
    public string? TrustedRootsPath { get; init; }

    /// <summary>The file with the certificate that a client shows at <c>muxs</c> addresses; null for none.</summary>
    public string? ClientCertificatePath { get; init; }

    /// <summary>The file with its key; null if it stands beside the certificate.</summary>
    public string? ClientCertificateKeyPath { get; init; }

    /// <summary>What a client shows to servers that ask who it is; null for nothing.</summary>
    public MuxCredentials? Credentials { get; init; }

    /// <summary>The key of these credentials, where they are one: what a side that listens asks its clients for.</summary>
    public SharedKey? SharedKey { get; init; }

    /// <summary>Whether it shows that to other machines without TLS.</summary>
    public bool AllowPlaintext { get; init; }

    /// <summary>Whether a server that does not ask for it is refused.</summary>
    public bool RequireChallenge { get; init; } = true;
}
