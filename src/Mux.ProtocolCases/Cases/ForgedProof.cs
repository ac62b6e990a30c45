using Mux.Identity;

namespace Mux.ProtocolCases.Cases;

/// <summary>Makes a proof that no server with the key shows.</summary>
/// <param name="key">The client's.</param>
/// <param name="token">What the client has shown.</param>
/// <param name="challenge">What it answers.</param>
/// <param name="channelBinding">Of the connection; empty without TLS.</param>
internal delegate byte[] ForgedProof(SharedKey key, byte[] token, byte[] challenge, ReadOnlySpan<byte> channelBinding);
