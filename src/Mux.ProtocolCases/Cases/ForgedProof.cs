using Mux.Identity;

namespace Mux.ProtocolCases.Cases;

/// <summary>Creates a proof that no server with the key would show.</summary>
/// <param name="key">The client's key.</param>
/// <param name="token">The client's token.</param>
/// <param name="challenge">The challenge that the token answers.</param>
/// <param name="channelBinding">Channel binding of the connection; empty without TLS.</param>
internal delegate byte[] ForgedProof(SharedKey key, byte[] token, byte[] challenge, ReadOnlySpan<byte> channelBinding);
