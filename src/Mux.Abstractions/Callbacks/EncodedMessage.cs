using Mux.Contracts;
using Mux.Serialization;

namespace Mux.Callbacks;

/// <summary>Encodes messages that are the body of another message. A message that cannot be encoded then fails alone.</summary>
internal static class EncodedMessage
{
    public static ReadOnlyMemory<byte> Of<T>(MessageCodec<T> codec, T message)
    {
        var buffer = MessageBuffer.Rent();
        try
        {
            var writer = buffer.CreateWriter();
            codec.Encode(ref writer, message);
            return OwnedBytes.CopyOf(writer.Written);
        }
        finally
        {
            buffer.Return();
        }
    }
}
