using System.Text;
using System.Text.Unicode;
using Mux.Serialization;

namespace Serializers;

/// <summary>Sends a text as its UTF-8, and nothing else.</summary>
[PayloadFormat("text", typeof(string))]
public sealed class Utf8Text : IPayloadSerializer
{
    public static void Write<T>(ref MessageWriter writer, T value)
    {
        var text = (string)(object)value!;
        writer.Advance(Encoding.UTF8.GetBytes(text, writer.GetSpan(Encoding.UTF8.GetMaxByteCount(text.Length))));
    }

    public static T Read<T>(ReadOnlySpan<byte> body)
    {
        if (!Utf8.IsValid(body)) throw new InvalidMessageException("The bytes are no UTF-8.");
        return (T)(object)Encoding.UTF8.GetString(body);
    }
}
