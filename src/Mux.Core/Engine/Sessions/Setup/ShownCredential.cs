namespace Mux.Engine;

/// <summary>A credential to send, and the proof that the peer must show when it accepts it.</summary>
/// <param name="Payload">Payload of AUTH. Wiped after it was sent.</param>
/// <param name="ExpectedProof">32 bytes; empty if the scheme has no proof.</param>
internal readonly record struct ShownCredential(byte[] Payload, byte[] ExpectedProof);
