namespace Mux.Sessions.Setup;

/// <summary>A credential that is sent, and what the peer has to show when it takes it.</summary>
/// <param name="Payload">Of AUTH. Wiped when it is sent.</param>
/// <param name="ExpectedProof">32 bytes; empty where the scheme proves nothing of the peer.</param>
internal readonly record struct ShownCredential(byte[] Payload, byte[] ExpectedProof);
