using Mux.Contracts;
using Mux.Serialization;

namespace Mux.TestSupport.Serializers;

/// <summary>Messages that are read as a test says, and written as no bytes.</summary>
/// <param name="decode">Reads one.</param>
public sealed class ScriptedCodec<T>(ScriptedCodec<T>.Decoder decode) : MessageCodec<T>("scripted")
{
    public delegate T Decoder(ReadOnlySpan<byte> body);

    public override void Encode(ref MessageWriter writer, T message)
    {
    }

    public override T Decode(ReadOnlySpan<byte> body) => decode(body);
}
