using System.Diagnostics.CodeAnalysis;
using Mux.Contracts;
using Mux.Serialization;
using Mux.Serialization.Raw;

namespace Mux.Calls;

/// <summary>Sends and receives messages as they are.</summary>
/// <typeparam name="T">A type of bytes that <see cref="RawSerializer"/> supports.</typeparam>
internal sealed class RawCodec<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicParameterlessConstructor)] T>(string name)
    : MessageCodec<T>(name)
{
    public override void Encode(ref MessageWriter writer, T message) => RawSerializer.Write(ref writer, message);

    public override T Decode(ReadOnlySpan<byte> body) => RawSerializer.Read<T>(body);
}
