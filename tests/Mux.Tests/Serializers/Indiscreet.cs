using Mux.Serialization;

namespace Mux.Tests.Serializers;

/// <summary>A serializer whose reader throws what user code may throw, with a text that is nobody else's business.</summary>
[PayloadFormat("indiscreet")]
public sealed class Indiscreet : IPayloadSerializer
{
    public const string Secret = "the password is 1234";

    public static void Write<T>(ref MessageWriter writer, T value) => writer.Write([1]);

    public static T Read<T>(ReadOnlySpan<byte> body) => throw new FormatException(Secret);
}
