namespace Mux.Tool.Gateway;

/// <summary>What <c>mux gateway</c> runs, from the command line and the file.</summary>
/// <param name="Listen">Where it listens.</param>
/// <param name="AllowPlaintext">True if addresses that other machines can reach need no encryption, at both sides.</param>
/// <param name="Certificate">File with the certificate of a muxs address; null for none.</param>
/// <param name="CertificateKey">File with its key; null if that is in the same file.</param>
/// <param name="Routes">At least one; no pattern twice.</param>
internal sealed record GatewayPlan(
    string Listen, bool AllowPlaintext, string? Certificate, string? CertificateKey, IReadOnlyList<GatewayTarget> Routes);
